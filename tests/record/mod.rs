//! Records of contests: compressed ones, faults, full disks, merging, figures that bots print.

mod compressed;
mod disk_full;
mod faults;
mod figures;
mod kept;
mod kills;
mod merge;
mod outputs;
