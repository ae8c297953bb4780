//! Records on a disk that is full.

use testkit::list::Tests;
use testkit::record::Record;
use testkit::run::Dir;
use testkit::tools::OWN_MOUNTS;

use testkit::disks::run_where_disks_are_tiny;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[OWN_MOUNTS], |tests| {
        add!(
            tests,
            a_full_disk_stops_a_contest_meanwhile,
            a_merged_record_fits_or_is_not_left
        );
    });
}

const FILL_AND_MAKE_ROOM: &str = r#"
mount -t tmpfs -o size=250k tiny "$tiny"
play() { code=0; "$referee" match awful mediocre --seed 1 --series 10 --games 140 -q --out "$tiny/m" "$@" 2>said || code=$?; }
play
[ $code = 1 ]
cp said full.txt
cp "$tiny/m" full
mount -o remount,size=64m tiny "$tiny"
play --resume
[ $code = 0 ]
cp "$tiny/m" whole
# From the start: no record is left.
rm "$tiny/m"
mount -o remount,size=8k tiny "$tiny"
head -c 8192 /dev/zero >"$tiny/zeros" || true
play
[ $code = 1 ]
grep -q "m: No space left on device" said
mount -o remount,size=64m tiny "$tiny"
play
[ $code = 0 ]
cp "$tiny/m" again
"#;

fn a_full_disk_stops_a_contest_meanwhile() {
    let dir = Dir::new();
    run_where_disks_are_tiny(&dir.path(""), FILL_AND_MAKE_ROOM);
    let sentence = ": No space left on device (os error 28); every series up to here is safe in it. Make room, then continue with --resume\n";
    assert!(
        dir.text("full.txt").ends_with(&format!("tiny/m{sentence}")),
        "{}",
        dir.text("full.txt")
    );
    let full = dir.text("full");
    let series = full.lines().count() / 11;
    assert!((1..14).contains(&series), "{series}");
    assert_eq!(full.lines().count(), 1 + 11 * series);
    assert!(full.ends_with('\n') && full.lines().last().unwrap().contains("battleship-series"));
    assert!(dir.text("whole").starts_with(&full));
    dir.run("match awful mediocre --seed 1 --series 10 --games 140 -q --out m")
        .succeeds();
    let undisturbed: Record = dir.record("m");
    assert_eq!(dir.record("whole"), undisturbed);
    assert_eq!(dir.record("again"), undisturbed);
}

fn a_merged_record_fits_or_is_not_left() {
    let dir = Dir::new();
    dir.run("match awful mediocre --seed 1 --series 10 --games 100 -q --out m")
        .succeeds();
    let script = r#"
mount -t tmpfs -o size=100k tiny "$tiny"
code=0
"$referee" merge m --out "$tiny/merged" 2>said || code=$?
[ $code = 1 ]
[ -z "$(ls "$tiny")" ]
"#;
    run_where_disks_are_tiny(&dir.path(""), script);
    let sentence = "merged: No space left on device (os error 28); make room, then merge again\n";
    assert!(dir.text("said").ends_with(sentence), "{}", dir.text("said"));
}
