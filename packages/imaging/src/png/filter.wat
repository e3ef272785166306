;; The inner loops of filter.ts, sixteen bytes an instruction: plain JavaScript takes thirty times as long for them.
;; After a change: node scripts/build-kernels.mjs (a test compares this text with what the .wasm was made from).
;;
;; Filters and their numbers are those of PNG, third edition, 9.2. $row and $above are the addresses of two rows, $end
;; is where $row ends, $back how many bytes before a byte stands its neighbour to the left: as many zeros stand before
;; each row. All addresses and lengths are bytes. Rows may be read and written up to 16 bytes past their end.
(module
  (import "picture" "memory" (memory 1))

  ;; 16 bit samples with the low byte first turn round.
  (func (export "swapBytes") (param $at i32) (param $end i32)
    (if (i32.ge_u (local.get $at) (local.get $end)) (then (return)))
    (loop $next
      (v128.store (local.get $at) (i8x16.shuffle 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14
        (v128.load (local.get $at)) (v128.const i32x4 0 0 0 0)))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))

  ;; (left + above) / 2, rounded down, where the instruction rounds up.
  (func $average (param $left v128) (param $above v128) (result v128)
    (i8x16.sub (i8x16.avgr_u (local.get $left) (local.get $above))
      (v128.and
        (v128.xor (local.get $left) (local.get $above))
        (v128.const i32x4 0x01010101 0x01010101 0x01010101 0x01010101))))

  (func $distance (param $a v128) (param $b v128) (result v128)
    (i8x16.sub (i8x16.max_u (local.get $a) (local.get $b)) (i8x16.min_u (local.get $a) (local.get $b))))

  ;; Paeth's predictor without leaving bytes. Of p = left + above - corner, the distances to left and above are
  ;; |above - corner| and |left - corner|; that to the corner is their sum where both point the same way, else their
  ;; difference. A sum beyond 255 may stop there, for it is compared with its parts alone.
  (func $paeth (param $left v128) (param $above v128) (param $corner v128) (result v128)
    (local $toLeft v128) (local $toAbove v128) (local $toCorner v128)
    (local.set $toLeft (call $distance (local.get $above) (local.get $corner)))
    (local.set $toAbove (call $distance (local.get $left) (local.get $corner)))
    (local.set $toCorner (v128.bitselect
      (call $distance (local.get $toLeft) (local.get $toAbove))
      (i8x16.add_sat_u (local.get $toLeft) (local.get $toAbove))
      (v128.xor
        (i8x16.ge_u (local.get $above) (local.get $corner))
        (i8x16.ge_u (local.get $left) (local.get $corner)))))
    (v128.bitselect
      (local.get $left)
      (v128.bitselect (local.get $above) (local.get $corner) (i8x16.le_u (local.get $toAbove) (local.get $toCorner)))
      (v128.and
        (i8x16.le_u (local.get $toLeft) (local.get $toAbove))
        (i8x16.le_u (local.get $toLeft) (local.get $toCorner)))))

  ;; How far sixteen differences are from 0, the highest bit taken for a sign, summed by fours.
  (func $size (param $differences v128) (result v128)
    (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (i8x16.abs (local.get $differences)))))

  (func $total (param $sums v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
      (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))

  ;; The number of the filter whose differences are smallest in sum; of equals the lowest.
  (func (export "chooseFilter") (param $row i32) (param $above i32) (param $back i32) (param $end i32) (result i32)
    (local $here v128) (local $left v128) (local $up v128) (local $corner v128) (local $least i32) (local $sum i32)
    (local $filter i32)
    (local $none v128) (local $sub v128) (local $vertical v128) (local $mean v128) (local $best v128)
    (loop $next
      (local.set $here (v128.load (local.get $row)))
      (local.set $up (v128.load (local.get $above)))
      (local.set $left (v128.load (i32.sub (local.get $row) (local.get $back))))
      (local.set $corner (v128.load (i32.sub (local.get $above) (local.get $back))))
      (local.set $none (i32x4.add (local.get $none) (call $size (local.get $here))))
      (local.set $sub (i32x4.add (local.get $sub) (call $size (i8x16.sub (local.get $here) (local.get $left)))))
      (local.set $vertical (i32x4.add (local.get $vertical)
        (call $size (i8x16.sub (local.get $here) (local.get $up)))))
      (local.set $mean (i32x4.add (local.get $mean)
        (call $size (i8x16.sub (local.get $here) (call $average (local.get $left) (local.get $up))))))
      (local.set $best (i32x4.add (local.get $best) (call $size (i8x16.sub (local.get $here)
        (call $paeth (local.get $left) (local.get $up) (local.get $corner))))))
      (local.set $above (i32.add (local.get $above) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end))))
    (local.set $least (call $total (local.get $none)))
    (if (i32.lt_u (local.tee $sum (call $total (local.get $sub))) (local.get $least))
      (then (local.set $least (local.get $sum)) (local.set $filter (i32.const 1))))
    (if (i32.lt_u (local.tee $sum (call $total (local.get $vertical))) (local.get $least))
      (then (local.set $least (local.get $sum)) (local.set $filter (i32.const 2))))
    (if (i32.lt_u (local.tee $sum (call $total (local.get $mean))) (local.get $least))
      (then (local.set $least (local.get $sum)) (local.set $filter (i32.const 3))))
    (if (i32.lt_u (call $total (local.get $best)) (local.get $least))
      (then (local.set $filter (i32.const 4))))
    (local.get $filter))

  ;; What the filter leaves of the row, to $to.
  (func (export "applyFilter")
    (param $filter i32) (param $row i32) (param $above i32) (param $back i32) (param $end i32) (param $to i32)
    (local $told v128) (local $left v128) (local $up v128)
    (loop $next
      (local.set $left (v128.load (i32.sub (local.get $row) (local.get $back))))
      (local.set $up (v128.load (local.get $above)))
      (block $done
        (block $paeth (block $average (block $up (block $left (block $none
          (br_table $none $left $up $average $paeth (local.get $filter)))
          (local.set $told (v128.const i32x4 0 0 0 0)) (br $done))
          (local.set $told (local.get $left)) (br $done))
          (local.set $told (local.get $up)) (br $done))
          (local.set $told (call $average (local.get $left) (local.get $up))) (br $done))
        (local.set $told (call $paeth (local.get $left) (local.get $up)
          (v128.load (i32.sub (local.get $above) (local.get $back))))))
      (v128.store (local.get $to) (i8x16.sub (v128.load (local.get $row)) (local.get $told)))
      (local.set $above (i32.add (local.get $above) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end)))))

  ;; Adler-32 (RFC 1950) of what lies from $at to $end, going on from $sum.
  (func (export "checksum") (param $sum i32) (param $at i32) (param $end i32) (result i32)
    (local $low i32) (local $high i32) (local $stop i32)
    (local $bytes v128) (local $plain v128) (local $weighted v128) (local $before v128)
    (local.set $low (i32.and (local.get $sum) (i32.const 65535)))
    (local.set $high (i32.shr_u (local.get $sum) (i32.const 16)))
    (loop $part
      ;; 5552 bytes are the most that 32 bits can sum up before they have to be brought down.
      (local.set $stop (i32.add (local.get $at) (i32.const 5552)))
      (if (i32.gt_u (local.get $stop) (local.get $end)) (then (local.set $stop (local.get $end))))
      (local.set $high (i32.add (local.get $high)
        (i32.mul (local.get $low) (i32.and (i32.sub (local.get $stop) (local.get $at)) (i32.const -16)))))
      (local.set $plain (v128.const i32x4 0 0 0 0))
      (local.set $weighted (v128.const i32x4 0 0 0 0))
      (local.set $before (v128.const i32x4 0 0 0 0))
      (block $rest
        (loop $block
          (br_if $rest (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $stop)))
          (local.set $bytes (v128.load (local.get $at)))
          (local.set $before (i32x4.add (local.get $before) (local.get $plain)))
          (local.set $plain (i32x4.add (local.get $plain)
            (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $bytes)))))
          (local.set $weighted (i32x4.add (local.get $weighted) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_u (local.get $bytes)) (v128.const i16x8 16 15 14 13 12 11 10 9))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_u (local.get $bytes)) (v128.const i16x8 8 7 6 5 4 3 2 1)))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $block)))
      (local.set $low (i32.add (local.get $low) (call $total (local.get $plain))))
      (local.set $high (i32.add (local.get $high) (i32.add
        (call $total (local.get $weighted))
        (i32.shl (call $total (local.get $before)) (i32.const 4)))))
      (block $even
        (loop $byte
          (br_if $even (i32.ge_u (local.get $at) (local.get $stop)))
          (local.set $low (i32.add (local.get $low) (i32.load8_u (local.get $at))))
          (local.set $high (i32.add (local.get $high) (local.get $low)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $byte)))
      (local.set $low (i32.rem_u (local.get $low) (i32.const 65521)))
      (local.set $high (i32.rem_u (local.get $high) (i32.const 65521)))
      (br_if $part (i32.lt_u (local.get $at) (local.get $end))))
    (i32.or (i32.shl (local.get $high) (i32.const 16)) (local.get $low))))
