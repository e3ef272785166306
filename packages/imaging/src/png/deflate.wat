;; The inner loops of deflate.ts. After a change: node scripts/build-kernels.mjs (a test compares this text with what the
;; .wasm was made from).
;;
;; Memory, bytes (deflate.ts fills in the tables and lays out what comes after them):
;;      0  u8[256]    about how many eighths of a bit each byte costs as it is
;;    256  u8[512]    by a match's length: the number of its code, less 257
;;    768  u8[512]    by a distance less 1: the number of its code; from 256 entries on by 128ths of it
;;   1280  u8[32]     how many extra bits follow each length's code, and from 1312 each distance's
;;   1344  u16[32]    the least distance less 1 of each distance's code
;;   1408  i32        where findMatches has come to; 1412 where the bytes begin that are in no token yet; 1416 how many
;;                    bytes and matches it has counted in this block; 1420 eighths of a bit that its matches save
;;   1424  i64, i32   bits not yet written, and at 1432 how many
;;   2048  u32[316]   how often each code occurs: 286 of bytes, the end and lengths, then 30 of distances; those of
;;                    bytes are counted in four, 4 KB from 335872 on, so that one needs not wait for the other
;;   4096  u32[515]   what is written for a byte, the end, and a match of 1 to 258 bytes: its bits, and from bit 24 on
;;                    how many they are
;;   6656  u32[32]    the same for the code of a distance
;;   8192  u32[32768] by a hash of eight bytes, where they stood last; from 139264 u32[16384] the same of four
;;                    (counted from the beginning of the stream: an address plus $shift)
;; 204800  u32[32768] what the bytes of a segment take up to each of them
;;
;; A token is two u32: how many bytes go as they are, and what follows them: a match, length << 15 | distance - 1; or 1,
;; the block's end; or 0, nothing.
(module
  (import "picture" "memory" (memory 1))

  (func $hash (param $bytes i64) (result i32)
    (i32.add (i32.const 8192) (i32.and
      (i32.wrap_i64 (i64.shr_u (i64.mul (local.get $bytes) (i64.const 0x9E3779B97F4A7C15)) (i64.const 47)))
      (i32.const 0x1fffc))))

  (func $shortHash (param $bytes i32) (result i32)
    (i32.add (i32.const 139264) (i32.and
      (i32.shr_u (i32.mul (local.get $bytes) (i32.const 0x9E3779B1)) (i32.const 16))
      (i32.const 0xfffc))))

  ;; How many bytes from $a on are the same as from $b on, at most $most.
  (func $alike (param $a i32) (param $b i32) (param $most i32) (result i32)
    (local $length i32) (local $differing i64)
    (loop $next
      (local.set $differing (i64.xor
        (i64.load (i32.add (local.get $a) (local.get $length)))
        (i64.load (i32.add (local.get $b) (local.get $length)))))
      (if (i64.eqz (local.get $differing))
        (then
          (local.set $length (i32.add (local.get $length) (i32.const 8)))
          (br_if $next (i32.lt_u (local.get $length) (local.get $most))))
        (else
          (local.set $length (i32.add (local.get $length)
            (i32.wrap_i64 (i64.shr_u (i64.ctz (local.get $differing)) (i64.const 3))))))))
    (select (local.get $length) (local.get $most) (i32.lt_u (local.get $length) (local.get $most))))

  ;; What a match from so far back takes, in eighths of a bit, without its length's extra bits: about 7 bits for the
  ;; length's code and 4 for the distance's, or 1 where the distance is next to none, and the distance's extra bits.
  (func $matchCost (param $distance i32) (result i32)
    (select
      (i32.const 64)
      (i32.sub (i32.const 328) (i32.shl (i32.clz (i32.sub (local.get $distance) (i32.const 1))) (i32.const 3)))
      (i32.le_u (local.get $distance) (i32.const 4))))

  ;; What the bytes from $at to $at + $length take as they are; $sums is what an address times 4 is added to.
  (func $bytesCost (param $sums i32) (param $at i32) (param $length i32) (result i32)
    (local.set $at (i32.add (local.get $sums) (i32.shl (local.get $at) (i32.const 2))))
    (i32.sub
      (i32.load (i32.add (local.get $at) (i32.shl (local.get $length) (i32.const 2))))
      (i32.load (local.get $at))))

  ;; Sums up what the bytes take, from $at to the longest match after $segment.
  (func $sumCosts (param $at i32) (param $segment i32)
    (local $to i32) (local $sum i32) (local $bytes i32)
    (local.set $to (i32.const 204800))
    (local.set $segment (i32.add (local.get $segment) (i32.const 264)))
    (loop $four
      (local.set $bytes (i32.load (local.get $at)))
      (i32.store (local.get $to) (local.get $sum))
      (local.set $sum
        (i32.add (local.get $sum) (i32.load8_u (i32.and (local.get $bytes) (i32.const 255)))))
      (i32.store offset=4 (local.get $to) (local.get $sum))
      (local.set $sum
        (i32.add (local.get $sum) (i32.load8_u (i32.and (i32.shr_u (local.get $bytes) (i32.const 8)) (i32.const 255)))))
      (i32.store offset=8 (local.get $to) (local.get $sum))
      (local.set $sum
        (i32.add (local.get $sum)
          (i32.load8_u (i32.and (i32.shr_u (local.get $bytes) (i32.const 16)) (i32.const 255)))))
      (i32.store offset=12 (local.get $to) (local.get $sum))
      (local.set $sum (i32.add (local.get $sum) (i32.load8_u (i32.shr_u (local.get $bytes) (i32.const 24)))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $four (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4))) (local.get $segment)))))

  ;; How far back the place is that an entry names, or 1 where that is too far: whatever is there is compared anyway.
  (func $back (param $place i32) (param $entry i32) (result i32)
    (local $distance i32)
    (local.set $distance (i32.sub (local.get $place) (i32.load (local.get $entry))))
    (i32.store (local.get $entry) (local.get $place))
    (select (local.get $distance) (i32.const 1)
      (i32.lt_u (i32.sub (local.get $distance) (i32.const 1)) (i32.const 32768))))

  (func $count (param $code i32)
    (local.set $code (i32.shl (local.get $code) (i32.const 2)))
    (i32.store offset=2048 (local.get $code) (i32.add (i32.load offset=2048 (local.get $code)) (i32.const 1))))

  ;; Counts the bytes from $at to $end that go as they are.
  (func $countBytes (param $at i32) (param $end i32)
    (local $bytes i32) (local $place i32)
    (block $done
      (loop $four
        (br_if $done (i32.gt_u (i32.add (local.get $at) (i32.const 4)) (local.get $end)))
        (local.set $bytes (i32.load (local.get $at)))
        (local.set $place (i32.and (i32.shl (local.get $bytes) (i32.const 2)) (i32.const 1020)))
        (i32.store offset=335872 (local.get $place)
          (i32.add (i32.load offset=335872 (local.get $place)) (i32.const 1)))
        (local.set $place (i32.and (i32.shr_u (local.get $bytes) (i32.const 6)) (i32.const 1020)))
        (i32.store offset=336896 (local.get $place)
          (i32.add (i32.load offset=336896 (local.get $place)) (i32.const 1)))
        (local.set $place (i32.and (i32.shr_u (local.get $bytes) (i32.const 14)) (i32.const 1020)))
        (i32.store offset=337920 (local.get $place)
          (i32.add (i32.load offset=337920 (local.get $place)) (i32.const 1)))
        (local.set $place (i32.and (i32.shr_u (local.get $bytes) (i32.const 22)) (i32.const 1020)))
        (i32.store offset=338944 (local.get $place)
          (i32.add (i32.load offset=338944 (local.get $place)) (i32.const 1)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $four)))
    (block $done
      (loop $one
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (call $count (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $one))))

  ;; The code of a distance less 1.
  (func $distanceCode (param $distance i32) (result i32)
    (if (result i32) (i32.lt_u (local.get $distance) (i32.const 256))
      (then (i32.load8_u offset=768 (local.get $distance)))
      (else (i32.load8_u offset=1024 (i32.shr_u (local.get $distance) (i32.const 7))))))

  ;; Remembers where the bytes from $from to $to stand.
  (func $remember (param $from i32) (param $to i32) (param $shift i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (i32.store (call $hash (i64.load (local.get $from))) (i32.add (local.get $from) (local.get $shift)))
        (i32.store (call $shortHash (i32.load (local.get $from))) (i32.add (local.get $from) (local.get $shift)))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $next))))

  ;; Tokens for what lies from $at to $segment, written from $tokens on: gives where they end. The last match may reach
  ;; beyond $segment as far as $end; what comes after it is in no token yet. Where nothing was found 2 ** $patience
  ;; times
  ;; it looks only at every second byte, then at every third, and so on; and at four bytes by themselves no more after
  ;; eight times as often.
  (func (export "findMatches")
    (param $at i32) (param $segment i32) (param $end i32) (param $shift i32) (param $tokens i32) (param $patience i32)
    (result i32)
    (local $bytes i64) (local $place i32) (local $sums i32) (local $most i32) (local $found i32) (local $before i32)
    (local $distance i32) (local $length i32) (local $missed i32) (local $plain i32)
    (local $start i32) (local $uncounted i32) (local $seen i32) (local $saved i32)
    (local.set $start (i32.load offset=1412 (i32.const 0)))
    (local.set $uncounted (local.get $at))
    (local.set $seen (i32.load offset=1416 (i32.const 0)))
    (call $sumCosts (local.get $at) (local.get $segment))
    (local.set $sums (i32.sub (i32.const 204800) (i32.shl (local.get $at) (i32.const 2))))
    (loop $next
      (local.set $length (i32.const 0))
      (local.set $bytes (i64.load (local.get $at)))
      (local.set $place (i32.add (local.get $at) (local.get $shift)))
      (local.set $most (i32.sub (local.get $end) (local.get $at)))
      (local.set $most (select (local.get $most) (i32.const 258) (i32.lt_u (local.get $most) (i32.const 258))))
      ;; The same byte again and again.
      (if (i32.eq (i32.wrap_i64 (local.get $bytes)) (i32.load (i32.sub (local.get $at) (i32.const 1))))
        (then
          (local.set $length (call $alike (i32.sub (local.get $at) (i32.const 1)) (local.get $at) (local.get $most)))
          (local.set $distance (i32.const 1))))
      (if (i32.lt_u (local.get $length) (i32.const 32))
        (then
          (local.set $found (call $back (local.get $place) (call $hash (local.get $bytes))))
          (local.set $before (i32.sub (local.get $at) (local.get $found)))
          ;; Eight bytes that are cheap by themselves are worth a longer look only where four more are the same. All of
          ;; it is one question, for what is asked of noise is answered by chance, and a guess that fails costs more.
          (if (i32.and
              (i64.eq (i64.load (local.get $before)) (local.get $bytes))
              (i32.or
                (i32.gt_s (call $bytesCost (local.get $sums) (local.get $at) (i32.const 9))
                  (call $matchCost (local.get $found)))
                (i32.eq (i32.load offset=8 (local.get $before)) (i32.load offset=8 (local.get $at)))))
            (then
              (local.set $plain (call $alike (local.get $before) (local.get $at) (local.get $most)))
              (if (i32.gt_u (local.get $plain) (local.get $length))
                (then
                  (local.set $length (local.get $plain))
                  (local.set $distance (local.get $found))))))
          ;; Then four bytes: in noise it is in vain.
          (if (i32.and
              (i32.lt_u (local.get $length) (i32.const 8))
              (i32.lt_u (local.get $missed) (i32.shl (i32.const 8) (local.get $patience))))
            (then
              (local.set $found (call $back (local.get $place) (call $shortHash (i32.wrap_i64 (local.get $bytes)))))
              (local.set $before (i32.sub (local.get $at) (local.get $found)))
              (if (i32.and
                  (i32.eq (i32.load (local.get $before)) (i32.wrap_i64 (local.get $bytes)))
                  (i32.gt_s (call $bytesCost (local.get $sums) (local.get $at) (i32.const 6))
                    (call $matchCost (local.get $found))))
                (then
                  (local.set $plain (call $alike (local.get $before) (local.get $at) (local.get $most)))
                  (if (i32.gt_u (local.get $plain) (local.get $length))
                    (then
                      (local.set $length (local.get $plain))
                      (local.set $distance (local.get $found))))))))))
      (local.set $length (select (local.get $length) (i32.const 0) (i32.ge_u (local.get $length) (i32.const 4))))
      (if (local.get $length)
        (then
          (local.set $plain (i32.sub
            (call $bytesCost (local.get $sums) (local.get $at) (local.get $length))
            (i32.add
              (call $matchCost (local.get $distance))
              (i32.shl (i32.load8_u offset=1280 (i32.load8_u offset=256 (local.get $length))) (i32.const 3)))))
          (if (i32.le_s (local.get $plain) (i32.const 0))
            (then (local.set $length (i32.const 0)))
            (else (local.set $saved (i32.add (local.get $saved) (local.get $plain)))))))
      (if (local.get $length)
        (then
          (i32.store (local.get $tokens) (i32.sub (local.get $at) (local.get $start)))
          (i32.store offset=4 (local.get $tokens) (i32.or
            (i32.shl (local.get $length) (i32.const 15)) (i32.sub (local.get $distance) (i32.const 1))))
          (local.set $tokens (i32.add (local.get $tokens) (i32.const 8)))
          (call $countBytes (local.get $uncounted) (local.get $at))
          (local.set $seen (i32.add (local.get $seen)
            (i32.add (i32.const 1) (i32.sub (local.get $at) (local.get $uncounted)))))
          (call $count (i32.add (i32.const 257) (i32.load8_u offset=256 (local.get $length))))
          (call $count (i32.add (i32.const 286)
            (call $distanceCode (i32.sub (local.get $distance) (i32.const 1)))))
          ;; Its beginning and its end: all of it finds no more.
          (local.set $plain (i32.add (local.get $at) (local.get $length)))
          (if (i32.le_u (local.get $length) (i32.const 16))
            (then (call $remember (i32.add (local.get $at) (i32.const 1)) (local.get $plain) (local.get $shift)))
            (else
              (call $remember (i32.add (local.get $at) (i32.const 1)) (i32.add (local.get $at) (i32.const 8))
                (local.get $shift))
              (call $remember (i32.sub (local.get $plain) (i32.const 8)) (local.get $plain) (local.get $shift))))
          (local.set $at (local.get $plain))
          (local.set $start (local.get $plain))
          (local.set $uncounted (local.get $plain))
          (local.set $missed (i32.const 0)))
        (else
          (local.set $missed (i32.add (local.get $missed) (i32.const 1)))
          (local.set $at (i32.add (local.get $at)
            (i32.add (i32.const 1) (i32.shr_u (local.get $missed) (local.get $patience)))))))
      (br_if $next (i32.lt_u (local.get $at) (local.get $segment))))
    ;; Only a match may reach beyond the segment.
    (if (i32.eq (local.get $at) (local.get $start)) (then) (else (local.set $at (local.get $segment))))
    (call $countBytes (local.get $uncounted) (local.get $at))
    (i32.store offset=1408 (i32.const 0) (local.get $at))
    (i32.store offset=1412 (i32.const 0) (local.get $start))
    (i32.store offset=1420 (i32.const 0) (local.get $saved))
    (i32.store offset=1416 (i32.const 0)
      (i32.add (local.get $seen) (i32.sub (local.get $at) (local.get $uncounted))))
    (local.get $tokens))

  ;; Has the bytes from $at to $end go as they are, without a look for matches; none is remembered either.
  (func (export "passBytes") (param $at i32) (param $end i32)
    (call $countBytes (local.get $at) (local.get $end))
    (i32.store offset=1408 (i32.const 0) (local.get $end))
    (i32.store offset=1416 (i32.const 0)
      (i32.add (i32.load offset=1416 (i32.const 0)) (i32.sub (local.get $end) (local.get $at)))))

  ;; The bits of the tokens from $at to $end, to $to: gives where they end. $from is where the bytes lie that they tell
  ;; of.
  ;; Those of a byte not yet full are kept.
  (func (export "writeTokens") (param $at i32) (param $end i32) (param $from i32) (param $to i32) (result i32)
    (local $token i32) (local $entry i32) (local $code i32) (local $stop i32) (local $bits i64) (local $count i64)
    (local.set $bits (i64.load offset=1424 (i32.const 0)))
    (local.set $count (i64.load32_u offset=1432 (i32.const 0)))
    (loop $next
      (local.set $stop (i32.add (local.get $from) (i32.load (local.get $at))))
      (local.set $token (i32.load offset=4 (local.get $at)))
      (block $done
        (loop $four
          (br_if $done (i32.gt_u (i32.add (local.get $from) (i32.const 4)) (local.get $stop)))
          (local.set $entry
            (i32.load offset=4096 (i32.shl (i32.load8_u (local.get $from)) (i32.const 2))))
          (local.set $bits (i64.or (local.get $bits)
            (i64.shl (i64.extend_i32_u (i32.and (local.get $entry) (i32.const 0xffffff))) (local.get $count))))
          (local.set $count
            (i64.add (local.get $count) (i64.extend_i32_u (i32.shr_u (local.get $entry) (i32.const 24)))))
          (local.set $entry
            (i32.load offset=4096 (i32.shl (i32.load8_u offset=1 (local.get $from)) (i32.const 2))))
          (local.set $bits (i64.or (local.get $bits)
            (i64.shl (i64.extend_i32_u (i32.and (local.get $entry) (i32.const 0xffffff))) (local.get $count))))
          (local.set $count
            (i64.add (local.get $count) (i64.extend_i32_u (i32.shr_u (local.get $entry) (i32.const 24)))))
          (local.set $entry
            (i32.load offset=4096 (i32.shl (i32.load8_u offset=2 (local.get $from)) (i32.const 2))))
          (local.set $bits (i64.or (local.get $bits)
            (i64.shl (i64.extend_i32_u (i32.and (local.get $entry) (i32.const 0xffffff))) (local.get $count))))
          (local.set $count
            (i64.add (local.get $count) (i64.extend_i32_u (i32.shr_u (local.get $entry) (i32.const 24)))))
          (local.set $entry
            (i32.load offset=4096 (i32.shl (i32.load8_u offset=3 (local.get $from)) (i32.const 2))))
          (local.set $bits (i64.or (local.get $bits)
            (i64.shl (i64.extend_i32_u (i32.and (local.get $entry) (i32.const 0xffffff))) (local.get $count))))
          (local.set $count
            (i64.add (local.get $count) (i64.extend_i32_u (i32.shr_u (local.get $entry) (i32.const 24)))))
          (local.set $from (i32.add (local.get $from) (i32.const 4)))
          (i64.store (local.get $to) (local.get $bits))
          (local.set $to (i32.add (local.get $to) (i32.wrap_i64 (i64.shr_u (local.get $count) (i64.const 3)))))
          (local.set $bits (i64.shr_u (local.get $bits) (i64.and (local.get $count) (i64.const 56))))
          (local.set $count (i64.and (local.get $count) (i64.const 7)))
          (br $four)))
      (block $done
        (loop $one
          (br_if $done (i32.ge_u (local.get $from) (local.get $stop)))
          (local.set $entry
            (i32.load offset=4096 (i32.shl (i32.load8_u (local.get $from)) (i32.const 2))))
          (local.set $bits (i64.or (local.get $bits)
            (i64.shl (i64.extend_i32_u (i32.and (local.get $entry) (i32.const 0xffffff))) (local.get $count))))
          (local.set $count
            (i64.add (local.get $count) (i64.extend_i32_u (i32.shr_u (local.get $entry) (i32.const 24)))))
          (local.set $from (i32.add (local.get $from) (i32.const 1)))
          (i64.store (local.get $to) (local.get $bits))
          (local.set $to (i32.add (local.get $to) (i32.wrap_i64 (i64.shr_u (local.get $count) (i64.const 3)))))
          (local.set $bits (i64.shr_u (local.get $bits) (i64.and (local.get $count) (i64.const 56))))
          (local.set $count (i64.and (local.get $count) (i64.const 7)))
          (br $one)))
      (if (local.get $token)
        (then
          (local.set $entry (i32.load offset=5120
            (i32.shl (i32.shr_u (local.get $token) (i32.const 15)) (i32.const 2))))
          (local.set $bits (i64.or (local.get $bits)
            (i64.shl (i64.extend_i32_u (i32.and (local.get $entry) (i32.const 0xffffff))) (local.get $count))))
          (local.set $count
            (i64.add (local.get $count) (i64.extend_i32_u (i32.shr_u (local.get $entry) (i32.const 24)))))
          (local.set $from (i32.add (local.get $from) (i32.shr_u (local.get $token) (i32.const 15))))
          (if (i32.ge_u (local.get $token) (i32.const 32768))
            (then
              (local.set $token (i32.and (local.get $token) (i32.const 32767)))
              (local.set $code (call $distanceCode (local.get $token)))
              (local.set $entry (i32.load offset=6656 (i32.shl (local.get $code) (i32.const 2))))
              (local.set $bits (i64.or (local.get $bits)
                (i64.shl (i64.extend_i32_u (i32.and (local.get $entry) (i32.const 0xffffff))) (local.get $count))))
              (local.set $count
                (i64.add (local.get $count) (i64.extend_i32_u (i32.shr_u (local.get $entry) (i32.const 24)))))
              (local.set $bits (i64.or (local.get $bits) (i64.shl
                (i64.extend_i32_u (i32.sub (local.get $token)
                  (i32.load16_u offset=1344 (i32.shl (local.get $code) (i32.const 1)))))
                (local.get $count))))
              (local.set $count (i64.add (local.get $count) (i64.load8_u offset=1312 (local.get $code))))))
          (i64.store (local.get $to) (local.get $bits))
          (local.set $to (i32.add (local.get $to) (i32.wrap_i64 (i64.shr_u (local.get $count) (i64.const 3)))))
          (local.set $bits (i64.shr_u (local.get $bits) (i64.and (local.get $count) (i64.const 56))))
          (local.set $count (i64.and (local.get $count) (i64.const 7)))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $end))))
    (i64.store offset=1424 (i32.const 0) (local.get $bits))
    (i32.store offset=1432 (i32.const 0) (i32.wrap_i64 (local.get $count)))
    (local.get $to)))
