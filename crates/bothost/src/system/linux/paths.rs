//! Paths in JSON, each byte a character: not all of them are text, and lists of numbers would be
//! too long for an argument.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(paths.iter().map(|path| -> String {
        let bytes = path.as_os_str().as_bytes();
        bytes.iter().copied().map(char::from).collect()
    }))
}

pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
    Ok(Vec::<String>::deserialize(from)?
        .into_iter()
        .map(|text| {
            let bytes = text.chars().filter_map(|byte| u8::try_from(byte).ok());
            OsString::from_vec(bytes.collect()).into()
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;
    use crate::Sandbox;

    #[test]
    fn a_policy_comes_back_with_any_paths() {
        let strange = PathBuf::from(OsStr::from_bytes(b"/home/\xff\xfe \"x\"\n"));
        let paths = vec![PathBuf::from("/usr/share/\u{e9}"), strange];
        let sandbox = Sandbox {
            allow: paths.clone(),
            hide: paths.clone(),
            instead: paths,
            ..Sandbox::default()
        };
        let argument = serde_json::to_string(&sandbox).unwrap();
        assert_eq!(serde_json::from_str::<Sandbox>(&argument).unwrap(), sandbox);
    }
}
