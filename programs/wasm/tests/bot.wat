;; A bot without a language: it replies by the first letter of a request, attacks cell after cell from the last one, and does
;; MORE before each attack.
(module
    (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1 100)
    (data (i32.const 0) "\80\00\00\00\00\10\00\00")
    (data (i32.const 32) "ready\nplace 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h\nattack 0 0\n")
    (global $cell (mut i32) (i32.const 0))
    (func $say (param $at i32) (param $length i32)
        (i32.store (i32.const 8) (local.get $at))
        (i32.store (i32.const 12) (local.get $length))
        (drop (call $write (i32.const 1) (i32.const 8) (i32.const 1) (i32.const 16))))
    (func $attack
        MORE
        (i32.store8 (i32.const 81) (i32.add (i32.const 48) (i32.div_u (global.get $cell) (i32.const 10))))
        (i32.store8 (i32.const 83) (i32.add (i32.const 48) (i32.rem_u (global.get $cell) (i32.const 10))))
        (global.set $cell (i32.rem_u (i32.add (global.get $cell) (i32.const 99)) (i32.const 100)))
        (call $say (i32.const 74) (i32.const 11)))
    (func (export "_start") (local $word i32)
        (loop $next
            (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 16)))
            (if (i32.eqz (i32.load (i32.const 16))) (then return))
            (local.set $word (i32.load8_u (i32.const 128)))
            (if (i32.eq (local.get $word) (i32.const 98)) (then (call $say (i32.const 32) (i32.const 6))))
            (if (i32.eq (local.get $word) (i32.const 112)) (then
                (global.set $cell (i32.const 99)) (call $say (i32.const 38) (i32.const 36))))
            (if (i32.eq (local.get $word) (i32.const 97)) (then (call $attack)))
            (br $next))))
