//! Runs its arguments on a kernel that, to all appearances, has no Landlock, so that the tests see how the referee
//! supervises bots on an older Linux.

#[cfg(target_os = "linux")]
fn main() -> std::io::Result<()> {
    use std::os::unix::process::CommandExt;

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

    // No rule: the call itself is what is refused.
    let calls = [(libc::SYS_landlock_create_ruleset, Vec::new())].into();
    let arch = std::env::consts::ARCH
        .try_into()
        .map_err(std::io::Error::other)?;
    // The error of a kernel that was built with Landlock and booted without it.
    let refused = SeccompAction::Errno(u32::try_from(libc::EOPNOTSUPP).expect("a small number"));
    let filter = SeccompFilter::new(calls, SeccompAction::Allow, refused, arch)
        .map_err(std::io::Error::other)?;
    let program: BpfProgram = filter.try_into().map_err(std::io::Error::other)?;
    apply_filter(&program).map_err(std::io::Error::other)?;
    let mut words = std::env::args_os().skip(1);
    let program = words.next().expect("the command to run");
    Err(std::process::Command::new(program).args(words).exec())
}

#[cfg(not(target_os = "linux"))]
fn main() {}
