//! Records of contests: faults, full disks, merging, figures that bots print.

mod disk_full;
mod faults;
mod figures;
mod kills;
mod merge;
mod outputs;
