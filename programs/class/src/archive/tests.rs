use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

use super::*;

const LIMITS: Limits = Limits {
    files: 20,
    bytes: 1 << 20,
};

/// Makes a zip file of these names and contents; a name that ends in `/` is a folder.
fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Makes a tar file with entries of any kind, without a check of their names.
fn tarred(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, kind, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        if *kind == tar::EntryType::Symlink {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        tar.append(&header, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

/// Unpacks `bytes` from a file of this name. Returns the files that come out, in order.
fn unpacked(name: &str, bytes: &[u8]) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    let (source, into) = (folder.path().join(name), folder.path().join("out"));
    fs::write(&source, bytes).unwrap();
    let done = unpack(&source, &into, LIMITS).map_err(|error| error.to_string());
    assert_eq!(into.exists(), done.is_ok());
    // Nothing beside the folder.
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1 + usize::from(done.is_ok())
    );
    done.map(|()| files(&into, ""))
}

fn files(folder: &Path, above: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{above}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            found.extend(files(&path, &format!("{name}/")));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}

/// Archives and the names in them, perhaps with their kind, and the files that come out or why none
/// does.
const ARCHIVES: [(&str, &str); 23] = [
    (
        "a.zip | my bot/bot.py | my bot/it's/strategy.py",
        "bot.py | it's/strategy.py",
    ),
    ("a.tar | directory:./ | ./bot.py", "bot.py"),
    ("a.TGZ | ./bot.py", "bot.py"),
    // What tools leave stays out.
    (
        "a.zip | bot.py | __MACOSX/._bot.py | __pycache__/bot.pyc | a/.DS_Store",
        "bot.py",
    ),
    // The separators of Windows make folders.
    ("a.zip | a\\bot.py | b.py", "a/bot.py | b.py"),
    ("a.zip | ../bot.py", "leads out of its folder"),
    ("a.zip | a/../../bot.py", "leads out of its folder"),
    ("a.zip | a\\..\\..\\bot.py", "leads out of its folder"),
    ("a.tar | ../bot.py", "leads out of its folder"),
    ("a.tar | /tmp/bot.py", "is an absolute path"),
    ("a.tar | C:\\bot.py", "is an absolute path"),
    ("a.tar | a\nb", "has characters that are not text"),
    ("a.tar | symlink:bot", "is a link or a device"),
    ("a.tar | link:bot", "is a link or a device"),
    ("a.tar | device:bot", "is a link or a device"),
    ("a.tar | bot | bot", "in it twice"),
    ("a.tar | bot | BOT/a", "in it twice"),
    ("a.zip", "it is empty"),
    ("text.zip", "cannot be unpacked"),
    ("text.tgz", "cannot be unpacked"),
    ("text.rar", "a .rar file cannot be opened"),
    ("text.doc", "is not a folder"),
    ("cut.zip | bot.py", "cannot be unpacked"),
];

#[test]
fn names_come_out_or_are_refused() {
    for (words, expected) in ARCHIVES {
        let mut names: Vec<&str> = words.split(" | ").collect();
        let archive = names.remove(0);
        let mut bytes = if archive.ends_with("zip") {
            let entries: Vec<_> = names
                .iter()
                .map(|name| (*name, &b"0123456789"[..]))
                .collect();
            zipped(&entries)
        } else {
            let entries: Vec<_> = names
                .iter()
                .map(|name| match name.split_once(':') {
                    Some(("directory", name)) => (name, tar::EntryType::Directory, &b""[..]),
                    Some(("symlink", name)) => (name, tar::EntryType::Symlink, &b""[..]),
                    Some(("link", name)) => (name, tar::EntryType::Link, &b""[..]),
                    Some(("device", name)) => (name, tar::EntryType::Char, &b""[..]),
                    _ => (*name, tar::EntryType::Regular, &b"1"[..]),
                })
                .collect();
            tarred(&entries)
        };
        if archive.ends_with("TGZ") {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(&bytes).unwrap();
            bytes = gzip.finish().unwrap();
        }
        if archive.starts_with("text") {
            bytes = b"no archive".to_vec();
        } else if archive.starts_with("cut") {
            bytes.truncate(bytes.len() / 2);
        }
        match unpacked(archive, &bytes) {
            Ok(files) => assert_eq!(files.join(" | "), expected, "{words}"),
            Err(error) => assert!(error.contains(expected), "{words}: {error}"),
        }
    }
}

/// Many names of empty files, each of so many digits.
fn numbered(count: usize, digits: usize) -> Vec<u8> {
    let names: Vec<String> = (0..count)
        .map(|number| format!("{number:0digits$}"))
        .collect();
    let entries: Vec<_> = names.iter().map(|name| (&**name, &b""[..])).collect();
    zipped(&entries)
}

#[test]
fn more_than_the_limits_is_refused() {
    let bomb = zipped(&[("bot.py", &vec![0; 2 << 20])]);
    assert!(bomb.len() < 10_000);
    let mut extra = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in 0..50 {
        let mut options = SimpleFileOptions::default().into_full_options();
        options
            .add_extra_field(0x9999, vec![0; 60_000], true)
            .unwrap();
        extra.start_file(name.to_string(), options).unwrap();
    }
    let deep = vec!["a"; 40].join("/");
    let list = "its list of files has more than 2048 KiB";
    for (zip, what) in [
        (bomb, "unpacked it has more than 1 MiB"),
        (numbered(30, 2), "it has more than 20 files and folders"),
        (zipped(&[(&deep, b"")]), "is too long"),
        // A zip file of 3 MB whose list of files takes ten times as much in memory.
        (numbered(50, 60_000), list),
        (numbered(13_000, 120), list),
        (extra.finish().unwrap().into_inner(), list),
    ] {
        let error = unpacked("a.zip", &zip).unwrap_err();
        assert!(error.ends_with(what), "{what}: {error}");
    }
}

/// Headers become names in memory before anything of the file itself is read.
#[test]
fn headers_of_a_tar_file_have_bounds() {
    let long = vec![b'a'; 2 << 20];
    let header = "a header in it has more than 32 KiB";
    let whole = "unpacked it has more than 1 MiB";
    for (kind, what) in [
        (tar::EntryType::GNULongName, header),
        (tar::EntryType::GNULongLink, header),
        (tar::EntryType::XHeader, header),
        (tar::EntryType::XGlobalHeader, whole),
        (tar::EntryType::Directory, whole),
    ] {
        let tar = tarred(&[
            ("x", kind, &long),
            ("bot.py", tar::EntryType::Regular, b"1"),
        ]);
        assert_eq!(unpacked("a.tar", &tar).unwrap_err(), what, "{kind:?}");
    }
    let many = vec![("x", tar::EntryType::XGlobalHeader, &b""[..]); 3000];
    assert_eq!(unpacked("a.tar", &tarred(&many)).unwrap_err(), whole);
    // An entry that is left out has to be decoded.
    let left_out = [("target/x", tar::EntryType::Regular, &long[..])];
    assert_eq!(unpacked("a.tar", &tarred(&left_out)).unwrap_err(), whole);
    let mut sparse = tar::Header::new_gnu();
    sparse.set_entry_type(tar::EntryType::GNUSparse);
    sparse.as_gnu_mut().unwrap().set_is_extended(true);
    sparse.set_size(0);
    sparse.set_cksum();
    let mut more = [0; 512];
    more[504] = 1;
    let endless = [&sparse.as_bytes()[..], &more.repeat(1000)].concat();
    assert_eq!(unpacked("a.tar", &endless).unwrap_err(), header);
}

#[test]
fn long_names_and_attributes_within_the_bounds_come_out() {
    let folder = format!("{}/{}", "a".repeat(200), "b".repeat(200));
    let name = format!("{folder}/bot.py");
    let pax = format!("{} path={name}\n", name.len() + 10);
    let regular = tar::EntryType::Regular;
    for header in [
        ("x", tar::EntryType::GNULongName, name.as_bytes()),
        ("x", tar::EntryType::XHeader, pax.as_bytes()),
    ] {
        let tar = tarred(&[header, ("cut", regular, b"1"), ("Makefile", regular, b"2")]);
        assert_eq!(unpacked("a.tar", &tar).unwrap(), ["Makefile", &name]);
    }
}

#[test]
fn names_are_quoted_in_short() {
    let name = "a/".repeat(600);
    let tar = tarred(&[
        ("x", tar::EntryType::GNULongName, name.as_bytes()),
        ("bot.py", tar::EntryType::Regular, b"1"),
    ]);
    for error in [
        unpacked("a.tar", &tar),
        unpacked("a.zip", &zipped(&[(&name[1..], b"1")])),
    ] {
        let error = error.unwrap_err();
        assert!(error.ends_with("…\" is longer than 1024 bytes"), "{error}");
        assert!(error.len() < 250, "{error}");
    }
}

#[test]
fn a_folder_is_copied_without_links() {
    let folder = tempfile::tempdir().unwrap();
    let (source, into) = (folder.path().join("in"), folder.path().join("out"));
    fs::create_dir_all(source.join("sub/__pycache__")).unwrap();
    fs::write(source.join("sub/bot.py"), "1").unwrap();
    fs::write(source.join("Makefile"), "2").unwrap();
    unpack(&source, &into, LIMITS).unwrap();
    assert_eq!(files(&into, ""), ["Makefile", "sub/bot.py"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", source.join("link")).unwrap();
        let error = unpack(&source, &folder.path().join("again"), LIMITS).unwrap_err();
        assert!(matches!(error, UnpackError::NoFile(name) if name == "link"));
    }
}
