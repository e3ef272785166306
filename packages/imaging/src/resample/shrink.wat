;; The inner loops of shrink.ts, eight samples an instruction: plain JavaScript takes five times as long for them.
;; After a change: node scripts/build-kernels.mjs (a test compares this text with what the .wasm was made from).
;;
;; Light is a whole number, 0 to 24000, so that overshoot up to 1.36 still fits 16 bits; weights are 1/16384 parts.
;; Memory from 0: 256 u16, the light of each sample value; from 512: 24001 u8, the way back.
;; All addresses and lengths are bytes. Rows may be read and written up to 64 bytes past their end.
(module
  (import "picture" "memory" (memory 1))

  ;; Two rows of samples without alpha to light, four pixels' samples of each at a time, those of the same column side
  ;; by side: upper in the low half of a word, lower in the high half.
  (func (export "loadOpaque") (param $upper i32) (param $lower i32) (param $to i32) (param $end i32)
    (local $a i32) (local $b i32)
    (loop $next
      (local.set $a (i32.load (local.get $upper)))
      (local.set $b (i32.load (local.get $lower)))
      (i32.store (local.get $to) (i32.or
        (i32.load16_u (i32.shl (i32.and (local.get $a) (i32.const 255)) (i32.const 1)))
        (i32.shl (i32.load16_u (i32.shl (i32.and (local.get $b) (i32.const 255)) (i32.const 1))) (i32.const 16))))
      (i32.store offset=4 (local.get $to) (i32.or
        (i32.load16_u (i32.and (i32.shr_u (local.get $a) (i32.const 7)) (i32.const 510)))
        (i32.shl (i32.load16_u (i32.and (i32.shr_u (local.get $b) (i32.const 7)) (i32.const 510))) (i32.const 16))))
      (i32.store offset=8 (local.get $to) (i32.or
        (i32.load16_u (i32.and (i32.shr_u (local.get $a) (i32.const 15)) (i32.const 510)))
        (i32.shl (i32.load16_u (i32.and (i32.shr_u (local.get $b) (i32.const 15)) (i32.const 510))) (i32.const 16))))
      (i32.store offset=12 (local.get $to) (i32.or
        (i32.load16_u (i32.shl (i32.shr_u (local.get $a) (i32.const 24)) (i32.const 1)))
        (i32.shl (i32.load16_u (i32.shl (i32.shr_u (local.get $b) (i32.const 24)) (i32.const 1))) (i32.const 16))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $lower (i32.add (local.get $lower) (i32.const 4)))
      (br_if $next (i32.lt_u (local.tee $upper (i32.add (local.get $upper) (i32.const 4))) (local.get $end)))))

  ;; value * alpha / 255, rounded; exact enough for 24000 * 255 (the usual 257 / 65536 for 1 / 255).
  (func $scaled (param $value i32) (param $alpha i32) (result i32)
    (i32.shr_u
      (i32.add (i32.mul (i32.mul (local.get $value) (local.get $alpha)) (i32.const 257)) (i32.const 32768))
      (i32.const 16)))

  ;; The same of RGBA: light times alpha, and alpha on the same scale.
  (func (export "loadAlpha") (param $upper i32) (param $lower i32) (param $to i32) (param $end i32)
    (local $a i32) (local $b i32) (local $alphaA i32) (local $alphaB i32)
    (loop $next
      (local.set $a (i32.load (local.get $upper)))
      (local.set $b (i32.load (local.get $lower)))
      (local.set $alphaA (i32.shr_u (local.get $a) (i32.const 24)))
      (local.set $alphaB (i32.shr_u (local.get $b) (i32.const 24)))
      (i32.store (local.get $to) (i32.or
        (call $scaled
          (i32.load16_u (i32.shl (i32.and (local.get $a) (i32.const 255)) (i32.const 1))) (local.get $alphaA))
        (i32.shl (call $scaled
          (i32.load16_u (i32.shl (i32.and (local.get $b) (i32.const 255)) (i32.const 1))) (local.get $alphaB))
          (i32.const 16))))
      (i32.store offset=4 (local.get $to) (i32.or
        (call $scaled
          (i32.load16_u (i32.and (i32.shr_u (local.get $a) (i32.const 7)) (i32.const 510))) (local.get $alphaA))
        (i32.shl (call $scaled
          (i32.load16_u (i32.and (i32.shr_u (local.get $b) (i32.const 7)) (i32.const 510))) (local.get $alphaB))
          (i32.const 16))))
      (i32.store offset=8 (local.get $to) (i32.or
        (call $scaled
          (i32.load16_u (i32.and (i32.shr_u (local.get $a) (i32.const 15)) (i32.const 510))) (local.get $alphaA))
        (i32.shl (call $scaled
          (i32.load16_u (i32.and (i32.shr_u (local.get $b) (i32.const 15)) (i32.const 510))) (local.get $alphaB))
          (i32.const 16))))
      (i32.store offset=12 (local.get $to) (i32.or
        (call $scaled (i32.const 24000) (local.get $alphaA))
        (i32.shl (call $scaled (i32.const 24000) (local.get $alphaB)) (i32.const 16))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $lower (i32.add (local.get $lower) (i32.const 4)))
      (br_if $next (i32.lt_u (local.tee $upper (i32.add (local.get $upper) (i32.const 4))) (local.get $end)))))

  ;; Of pairs of neighbours, two to a word, the darker; halved it is what light may not fall below (see floor.ts).
  (func $floor (param $pairs v128) (result v128)
    (i32x4.shr_s
      (i32x4.min_s
        (i32x4.shr_s (i32x4.shl (local.get $pairs) (i32.const 16)) (i32.const 16))
        (i32x4.shr_s (local.get $pairs) (i32.const 16)))
      (i32.const 1)))

  ;; The weighted sum of rows, 16 samples at a time, not below the floor. $rows: addresses of pairs of rows as they were
  ;; loaded; $weights: a pair of weights for each. $to is the sums' row, $end its end.
  (func (export "blendRows") (param $rows i32) (param $pairs i32) (param $weights i32) (param $to i32) (param $end i32)
    (local $row i32) (local $weight i32) (local $last i32) (local $middle i32) (local $offset i32) (local $at i32)
    (local $pair v128) (local $low v128) (local $high v128)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local.set $last (i32.add (local.get $rows) (i32.shl (local.get $pairs) (i32.const 2))))
    (local.set $middle (i32.load
      (i32.add (local.get $rows) (i32.shl (i32.shr_u (local.get $pairs) (i32.const 1)) (i32.const 2)))))
    (loop $block
      (local.set $sum0 (v128.const i32x4 8192 8192 8192 8192))
      (local.set $sum1 (local.get $sum0))
      (local.set $sum2 (local.get $sum0))
      (local.set $sum3 (local.get $sum0))
      (local.set $row (local.get $rows))
      (local.set $weight (local.get $weights))
      (loop $tap
        (local.set $at (i32.add (i32.load (local.get $row)) (local.get $offset)))
        (local.set $pair (v128.load32_splat (local.get $weight)))
        (local.set $sum0 (i32x4.add (local.get $sum0)
          (i32x4.dot_i16x8_s (local.get $pair) (v128.load (local.get $at)))))
        (local.set $sum1 (i32x4.add (local.get $sum1)
          (i32x4.dot_i16x8_s (local.get $pair) (v128.load offset=16 (local.get $at)))))
        (local.set $sum2 (i32x4.add (local.get $sum2)
          (i32x4.dot_i16x8_s (local.get $pair) (v128.load offset=32 (local.get $at)))))
        (local.set $sum3 (i32x4.add (local.get $sum3)
          (i32x4.dot_i16x8_s (local.get $pair) (v128.load offset=48 (local.get $at)))))
        (local.set $weight (i32.add (local.get $weight) (i32.const 4)))
        (br_if $tap (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 4))) (local.get $last))))
      (local.set $low (i16x8.narrow_i32x4_s
        (i32x4.shr_s (local.get $sum0) (i32.const 14)) (i32x4.shr_s (local.get $sum1) (i32.const 14))))
      (local.set $high (i16x8.narrow_i32x4_s
        (i32x4.shr_s (local.get $sum2) (i32.const 14)) (i32x4.shr_s (local.get $sum3) (i32.const 14))))
      ;; The darkest tap is no brighter than the middle one: only below half of that the floor can matter.
      (local.set $at (i32.add (local.get $middle) (local.get $offset)))
      (if (v128.any_true (v128.or
          (i16x8.lt_s (local.get $low) (i16x8.shr_s
            (i8x16.shuffle 0 1 4 5 8 9 12 13 16 17 20 21 24 25 28 29
              (v128.load (local.get $at)) (v128.load offset=16 (local.get $at)))
            (i32.const 1)))
          (i16x8.lt_s (local.get $high) (i16x8.shr_s
            (i8x16.shuffle 0 1 4 5 8 9 12 13 16 17 20 21 24 25 28 29
              (v128.load offset=32 (local.get $at)) (v128.load offset=48 (local.get $at)))
            (i32.const 1)))))
        (then
          (local.set $sum0 (v128.const i16x8 32767 32767 32767 32767 32767 32767 32767 32767))
          (local.set $sum1 (local.get $sum0))
          (local.set $sum2 (local.get $sum0))
          (local.set $sum3 (local.get $sum0))
          (local.set $row (local.get $rows))
          (loop $tap
            (local.set $at (i32.add (i32.load (local.get $row)) (local.get $offset)))
            (local.set $sum0 (i16x8.min_s (local.get $sum0) (v128.load (local.get $at))))
            (local.set $sum1 (i16x8.min_s (local.get $sum1) (v128.load offset=16 (local.get $at))))
            (local.set $sum2 (i16x8.min_s (local.get $sum2) (v128.load offset=32 (local.get $at))))
            (local.set $sum3 (i16x8.min_s (local.get $sum3) (v128.load offset=48 (local.get $at))))
            (br_if $tap (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 4))) (local.get $last))))
          (local.set $low (i16x8.max_s (local.get $low)
            (i16x8.narrow_i32x4_s (call $floor (local.get $sum0)) (call $floor (local.get $sum1)))))
          (local.set $high (i16x8.max_s (local.get $high)
            (i16x8.narrow_i32x4_s (call $floor (local.get $sum2)) (call $floor (local.get $sum3)))))))
      (v128.store (local.get $to) (local.get $low))
      (v128.store offset=16 (local.get $to) (local.get $high))
      (local.set $offset (i32.add (local.get $offset) (i32.const 64)))
      (br_if $block (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 32))) (local.get $end)))))

  ;; Sums as they come from the taps, or the floor where that is more, as light in its range.
  (func $inRange (param $sums v128) (param $floor v128) (result v128)
    (i32x4.min_s
      (i32x4.max_s (i32x4.shr_s (local.get $sums) (i32.const 14)) (local.get $floor))
      (v128.const i32x4 24000 24000 24000 24000)))

  ;; Half the darkest of the pixels from $at to $end, $size bytes each, channel by channel: what light may not fall below.
  (func $floorAcross (param $at i32) (param $end i32) (param $size i32) (result v128)
    (local $dark v128)
    (local.set $dark (v128.load64_zero (local.get $at)))
    (loop $pixel
      (local.set $dark (i16x8.min_s (local.get $dark) (v128.load64_zero (local.get $at))))
      (br_if $pixel (i32.lt_u (local.tee $at (i32.add (local.get $at) (local.get $size))) (local.get $end))))
    (i32x4.shr_s (i32x4.extend_low_i16x8_s (local.get $dark)) (i32.const 1)))

  ;; Grey light to grey samples. $starts: address of each pixel's first tap in the row; $groups of eight weights a pixel.
  (func (export "acrossOne")
    (param $row i32) (param $starts i32) (param $weights i32) (param $groups i32) (param $to i32) (param $end i32)
    (local $at i32) (local $last i32) (local $size i32) (local $total i32)
    (local $first i32) (local $half i32) (local $sum v128) (local $floor v128)
    (local.set $size (i32.shl (local.get $groups) (i32.const 4)))
    (local.set $half (i32.shl (local.get $groups) (i32.const 3)))
    (loop $pixel
      (local.set $sum (v128.const i32x4 8192 0 0 0))
      (local.set $at (local.tee $first (i32.add (local.get $row) (i32.load (local.get $starts)))))
      (local.set $last (i32.add (local.get $weights) (local.get $size)))
      (loop $tap
        (local.set $sum (i32x4.add (local.get $sum)
          (i32x4.dot_i16x8_s (v128.load (local.get $weights)) (v128.load (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $tap
          (i32.lt_u (local.tee $weights (i32.add (local.get $weights) (i32.const 16))) (local.get $last))))
      (local.set $total (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
        (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (local.set $floor (v128.const i32x4 0 0 0 0))
      (if (i32.lt_s
          (i32.shr_s (local.get $total) (i32.const 14))
          (i32.shr_u (i32.load16_u (i32.add (local.get $first) (local.get $half))) (i32.const 1)))
        (then
          (local.set $floor (call $floorAcross (local.get $first) (local.get $at) (i32.const 2)))))
      (i32.store8 (local.get $to) (i32.load8_u offset=512
        (i32x4.extract_lane 0 (call $inRange (i32x4.splat (local.get $total)) (local.get $floor)))))
      (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
      (br_if $pixel (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 1))) (local.get $end)))))

  ;; RGB light to RGB samples; $groups of four weights a pixel.
  (func (export "acrossThree")
    (param $row i32) (param $starts i32) (param $weights i32) (param $groups i32) (param $to i32) (param $end i32)
    (local $at i32) (local $last i32) (local $size i32)
    (local $first i32) (local $half i32)
    (local $sum v128) (local $more v128) (local $middle v128) (local $floor v128)
    (local.set $size (i32.shl (local.get $groups) (i32.const 3)))
    (local.set $half (i32.mul (local.get $groups) (i32.const 12)))
    (loop $pixel
      (local.set $sum (v128.const i32x4 8192 8192 8192 8192))
      (local.set $more (v128.const i32x4 0 0 0 0))
      (local.set $at (local.tee $first (i32.add (local.get $row) (i32.load (local.get $starts)))))
      (local.set $last (i32.add (local.get $weights) (local.get $size)))
      (loop $tap
        ;; Two neighbours, R R G G B B, to meet their pair of weights.
        (local.set $sum (i32x4.add (local.get $sum) (i32x4.dot_i16x8_s
          (v128.load32_splat (local.get $weights))
          (i8x16.shuffle 0 1 6 7 2 3 8 9 4 5 10 11 12 13 14 15
            (v128.load (local.get $at)) (v128.const i32x4 0 0 0 0)))))
        (local.set $more (i32x4.add (local.get $more) (i32x4.dot_i16x8_s
          (v128.load32_splat offset=4 (local.get $weights))
          (i8x16.shuffle 0 1 6 7 2 3 8 9 4 5 10 11 12 13 14 15
            (v128.load offset=12 (local.get $at)) (v128.const i32x4 0 0 0 0)))))
        (local.set $at (i32.add (local.get $at) (i32.const 24)))
        (br_if $tap
          (i32.lt_u (local.tee $weights (i32.add (local.get $weights) (i32.const 8))) (local.get $last))))
      (local.set $sum (i32x4.add (local.get $sum) (local.get $more)))
      ;; As in blendRows: only below half of the middle pixel the floor can matter.
      (local.set $floor (v128.const i32x4 0 0 0 0))
      (local.set $middle (v128.load16x4_s (i32.add (local.get $first) (local.get $half))))
      (if (i32.and (i32.const 7) (i32x4.bitmask (i32x4.lt_s
          (i32x4.shr_s (local.get $sum) (i32.const 14))
          (i32x4.shr_s (local.get $middle) (i32.const 1)))))
        (then
          (local.set $floor (call $floorAcross (local.get $first) (local.get $at) (i32.const 6)))))
      (local.set $sum (call $inRange (local.get $sum) (local.get $floor)))
      (i32.store8 (local.get $to) (i32.load8_u offset=512 (i32x4.extract_lane 0 (local.get $sum))))
      (i32.store8 offset=1 (local.get $to) (i32.load8_u offset=512 (i32x4.extract_lane 1 (local.get $sum))))
      (i32.store8 offset=2 (local.get $to) (i32.load8_u offset=512 (i32x4.extract_lane 2 (local.get $sum))))
      (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
      (br_if $pixel (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 3))) (local.get $end)))))

  ;; RGBA light times alpha to RGBA samples; where alpha rounds to nothing all four are 0.
  (func (export "acrossFour")
    (param $row i32) (param $starts i32) (param $weights i32) (param $groups i32) (param $to i32) (param $end i32)
    (local $at i32) (local $last i32) (local $size i32) (local $alpha i32)
    (local $first i32) (local $half i32)
    (local $sum v128) (local $more v128) (local $middle v128) (local $floor v128)
    (local.set $size (i32.shl (local.get $groups) (i32.const 3)))
    (local.set $half (i32.mul (local.get $groups) (i32.const 16)))
    (loop $pixel
      (local.set $sum (v128.const i32x4 8192 8192 8192 8192))
      (local.set $more (v128.const i32x4 0 0 0 0))
      (local.set $at (local.tee $first (i32.add (local.get $row) (i32.load (local.get $starts)))))
      (local.set $last (i32.add (local.get $weights) (local.get $size)))
      (loop $tap
        (local.set $sum (i32x4.add (local.get $sum) (i32x4.dot_i16x8_s
          (v128.load32_splat (local.get $weights))
          (i8x16.shuffle 0 1 8 9 2 3 10 11 4 5 12 13 6 7 14 15
            (v128.load (local.get $at)) (v128.const i32x4 0 0 0 0)))))
        (local.set $more (i32x4.add (local.get $more) (i32x4.dot_i16x8_s
          (v128.load32_splat offset=4 (local.get $weights))
          (i8x16.shuffle 0 1 8 9 2 3 10 11 4 5 12 13 6 7 14 15
            (v128.load offset=16 (local.get $at)) (v128.const i32x4 0 0 0 0)))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br_if $tap
          (i32.lt_u (local.tee $weights (i32.add (local.get $weights) (i32.const 8))) (local.get $last))))
      (local.set $sum (i32x4.add (local.get $sum) (local.get $more)))
      ;; As in blendRows: only below half of the middle pixel the floor can matter.
      (local.set $floor (v128.const i32x4 0 0 0 0))
      (local.set $middle (v128.load16x4_s (i32.add (local.get $first) (local.get $half))))
      (if (v128.any_true (i32x4.lt_s
          (i32x4.shr_s (local.get $sum) (i32.const 14))
          (i32x4.shr_s (local.get $middle) (i32.const 1))))
        (then
          (local.set $floor (call $floorAcross (local.get $first) (local.get $at) (i32.const 8)))))
      (local.set $sum (i32x4.max_s (local.get $sum) (i32x4.shl (local.get $floor) (i32.const 14))))
      (local.set $alpha (i32.div_u
        (i32.add
          (i32.mul (i32x4.extract_lane 3 (call $inRange (local.get $sum) (local.get $floor))) (i32.const 255))
          (i32.const 12000))
        (i32.const 24000)))
      (if (local.get $alpha)
        (then
          ;; Divided by alpha before its overshoot is cut off: beside an edge colours overshoot by the same share.
          (local.set $sum (f32x4.convert_i32x4_s (local.get $sum)))
          (local.set $sum (i32x4.trunc_sat_f32x4_s (f32x4.add
            (f32x4.mul (local.get $sum)
              (f32x4.splat (f32.div (f32.const 24000) (f32x4.extract_lane 3 (local.get $sum)))))
            (v128.const f32x4 0.5 0.5 0.5 0.5))))
          (local.set $sum (i32x4.min_s
            (i32x4.max_s (local.get $sum) (v128.const i32x4 0 0 0 0))
            (v128.const i32x4 24000 24000 24000 24000)))
          (i32.store8 (local.get $to) (i32.load8_u offset=512 (i32x4.extract_lane 0 (local.get $sum))))
          (i32.store8 offset=1 (local.get $to) (i32.load8_u offset=512 (i32x4.extract_lane 1 (local.get $sum))))
          (i32.store8 offset=2 (local.get $to) (i32.load8_u offset=512 (i32x4.extract_lane 2 (local.get $sum))))
          (i32.store8 offset=3 (local.get $to) (local.get $alpha)))
        (else (i32.store (local.get $to) (i32.const 0))))
      (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
      (br_if $pixel (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 4))) (local.get $end))))))
