//! Makes programs for the tests on Linux start in two thirds of the time: where they lie in memory
//! is decided here and not at each start, which takes 100,000 corrections in a program that is not
//! optimized. Released programs lie anywhere.

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("OPT_LEVEL", "0") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
