;; The inner loops of hold-bytes.ts, sixteen samples an instruction.
;; After a change: node scripts/build-kernels.mjs (a test compares this text with what the .wasm was made from).
;;
;; All addresses and lengths are bytes. Rows may be read and written up to 64 bytes past their end.
(module
  (import "picture" "memory" (memory 1))

  ;; The least of three neighbours in a row, `step` bytes apart, and the greatest.
  (func $least (param $at i32) (param $step i32) (result v128)
    (i8x16.min_u
      (v128.load (local.get $at))
      (i8x16.min_u
        (v128.load (i32.sub (local.get $at) (local.get $step)))
        (v128.load (i32.add (local.get $at) (local.get $step))))))
  (func $greatest (param $at i32) (param $step i32) (result v128)
    (i8x16.max_u
      (v128.load (local.get $at))
      (i8x16.max_u
        (v128.load (i32.sub (local.get $at) (local.get $step)))
        (v128.load (i32.add (local.get $at) (local.get $step))))))

  ;; Of each sample of the middle one of three rows: the least and the greatest of the nine around it, and beyond them
  ;; once more what lies between where `slack` has its bits set. Ends at `end` of the middle row.
  (func (export "bound") (param $above i32) (param $row i32) (param $below i32) (param $end i32) (param $step i32)
    (param $slack i32) (param $low i32) (param $high i32)
    (local $least v128) (local $greatest v128) (local $more v128) (local $mask v128)
    (local.set $mask (i32x4.splat (local.get $slack)))
    (loop $next
      (local.set $least (i8x16.min_u
        (call $least (local.get $row) (local.get $step))
        (i8x16.min_u
          (call $least (local.get $above) (local.get $step))
          (call $least (local.get $below) (local.get $step)))))
      (local.set $greatest (i8x16.max_u
        (call $greatest (local.get $row) (local.get $step))
        (i8x16.max_u
          (call $greatest (local.get $above) (local.get $step))
          (call $greatest (local.get $below) (local.get $step)))))
      (local.set $more (v128.and (local.get $mask) (i8x16.sub (local.get $greatest) (local.get $least))))
      (v128.store (local.get $low) (i8x16.sub_sat_u (local.get $least) (local.get $more)))
      (v128.store (local.get $high) (i8x16.add_sat_u (local.get $greatest) (local.get $more)))
      (local.set $above (i32.add (local.get $above) (i32.const 16)))
      (local.set $below (i32.add (local.get $below) (i32.const 16)))
      (local.set $low (i32.add (local.get $low) (i32.const 16)))
      (local.set $high (i32.add (local.get $high) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end)))))

  ;; An enlarged row, in place, between bounds of its source's samples. `spread` says, 32 bytes for each 16 of the row,
  ;; which bounds belong to them: 16 places, then from where on they count. After `spreadEnd` it begins anew, with bounds
  ;; `advance` bytes on.
  (func (export "hold") (param $row i32) (param $end i32) (param $low i32) (param $high i32)
    (param $spread i32) (param $spreadEnd i32) (param $advance i32)
    (local $entry i32) (local $places v128) (local $from i32)
    (loop $period
      (local.set $entry (local.get $spread))
      (loop $next
        (local.set $places (v128.load (local.get $entry)))
        (local.set $from (i32.load offset=16 (local.get $entry)))
        (v128.store (local.get $row) (i8x16.min_u
          (i8x16.swizzle (v128.load (i32.add (local.get $high) (local.get $from))) (local.get $places))
          (i8x16.max_u
            (i8x16.swizzle (v128.load (i32.add (local.get $low) (local.get $from))) (local.get $places))
            (v128.load (local.get $row)))))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $next (i32.lt_u
          (local.tee $entry (i32.add (local.get $entry) (i32.const 32)))
          (local.get $spreadEnd))))
      (local.set $low (i32.add (local.get $low) (local.get $advance)))
      (local.set $high (i32.add (local.get $high) (local.get $advance)))
      (br_if $period (i32.lt_u (local.get $row) (local.get $end))))))
