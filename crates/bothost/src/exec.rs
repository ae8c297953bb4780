//! Becoming another program.

use std::collections::BTreeMap;
use std::ffi::{CString, OsString, c_char};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;

use rustix::io::Errno;

/// Becomes the program of `command`, with its arguments, and with the environment of this process and what the command
/// changes of it. Returns why that was not possible.
///
/// As [`std::os::unix::process::CommandExt::exec`], but a file that the kernel does not know as a program is not given to a
/// shell, as C libraries do: such a file would be run line by line, and its author would not be told what is wrong.
pub(super) fn exec(command: &Command) -> io::Error {
    let mut variables: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => drop(variables.insert(name.to_owned(), value.to_owned())),
            None => drop(variables.remove(name)),
        }
    }
    let variables = variables.into_iter().map(|(mut name, value)| {
        name.push("=");
        name.push(value);
        name
    });
    let program = command.get_program();
    let words = [program]
        .into_iter()
        .chain(command.get_args())
        .map(OsString::from);
    let (words, variables) = match (terminated(words), terminated(variables)) {
        (Ok(words), Ok(variables)) => (words, variables),
        (Err(error), _) | (_, Err(error)) => return error,
    };
    let (words, variables) = (pointers(&words), pointers(&variables));
    let is_path = Path::new(program).components().count() > 1;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let files: Vec<PathBuf> = if is_path {
        vec![program.into()]
    } else {
        std::env::split_paths(&path)
            .map(|folder| folder.join(program))
            .collect()
    };
    let mut first = io::Error::from(Errno::NOENT);
    for file in files {
        let Ok(path) = CString::new(file.as_os_str().as_bytes()) else {
            return io::ErrorKind::InvalidInput.into();
        };
        #[allow(
            unsafe_code,
            reason = "std has no way without the shell, and rustix none that is safe"
        )]
        // SAFETY: the file and the words end with a zero byte, the lists with a null pointer, and all of them live until
        // the call returns.
        unsafe {
            libc::execve(path.as_ptr(), words.as_ptr(), variables.as_ptr());
        }
        let error = io::Error::last_os_error();
        match error.raw_os_error().map(Errno::from_raw_os_error) {
            // It may be in another folder. One that may not be executed says more than one that is not there, or than a
            // folder that may not be searched.
            Some(Errno::ACCESS) if is_path || file.exists() => first = error,
            Some(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => {}
            _ => return error,
        }
    }
    first
}

fn terminated(words: impl Iterator<Item = OsString>) -> io::Result<Vec<CString>> {
    words
        .map(|word| Ok(CString::new(word.into_vec())?))
        .collect()
}

fn pointers(words: &[CString]) -> Vec<*const c_char> {
    words
        .iter()
        .map(|word| word.as_ptr())
        .chain([ptr::null()])
        .collect()
}
