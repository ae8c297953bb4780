# What the scripts that pack crates share. They read it with `source`, in the project's folder.

# Packs every crate that can be published, into `package` in cargo's target folder. Options are those of `cargo package`.
pack_crates() {
    cargo package --quiet --no-verify --workspace --exclude rust-bot \
        --exclude xtask --exclude testkit "$@"
}

# Unpacks the crates of this version that are in one folder into another, and lists them in `members`.
unpack_crates() { # unpack_crates FROM TO
    local crate
    members=()
    for crate in "$1"/*-"$version".crate; do
        tar -xzf "$crate" -C "$2"
        members+=("$(basename "$crate" .crate)")
    done
}

# Prints what has cargo take those crates for the ones in the registry, as if they had been published.
patched() { # patched FOLDER
    local member
    echo '[patch.crates-io]'
    for member in "${members[@]}"; do
        echo "${member%-"$version"} = { path = \"$1$member\" }"
    done
}
