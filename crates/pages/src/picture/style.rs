//! The colours of a picture, in the light and in the dark, and the shapes that it is made of.

use super::Shown;

/// The side of a cell for which the shapes are drawn; they are scaled to others.
pub(super) const CELL: f64 = 32.0;

/// Colours by what they are for. Every mark has a shape besides, so nothing is said by a colour
/// alone.
const COLOURS: &str = "\
.battleship{--paper:#f7f6f2;--ink:#1c2830;--soft:#5c6b75;--line:#dcdfdd;--sea:#e6eff3;--grid:#c6d6de;--ship:#9fb2bd;
--miss:#5f7c8d;--hit:#c8402f;--on-hit:#fffefb;--sunk:#6d1a12;--on-sunk:#fffefb;--accent:#0b6e8f;--mark:#f2c14e;--rim:#1c2830}
@media (prefers-color-scheme:dark){
.battleship{--paper:#10171c;--ink:#e7edf0;--soft:#93a4ae;--line:#26333c;--sea:#1b2b36;--grid:#2c414e;--ship:#4f6878;
--miss:#8ea9b8;--hit:#ff7a66;--on-hit:#2b0f0a;--sunk:#ffb3a6;--on-sunk:#5a130b;--accent:#4fb6d8;--mark:#f2c14e;--rim:#10171c}}
";

const SHAPES: &str = "\
.battleship text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;font-size:14px;fill:var(--ink)}
.battleship .title{font-size:24px;font-weight:600}
.battleship .name{font-size:16px;font-weight:600}
.battleship .soft{fill:var(--soft)}
.battleship .head{font-size:12px;fill:var(--soft);text-anchor:middle;font-variant-numeric:tabular-nums}
.battleship .end{text-anchor:end;font-variant-numeric:tabular-nums}
.battleship .gone{fill:var(--soft);text-decoration:line-through}
.battleship .kind{font-size:14px;font-weight:600;text-anchor:middle}
.paper{fill:var(--paper)}.sea{fill:var(--sea)}.ship{fill:var(--ship)}.wreck{fill:var(--sunk)}
.lines{stroke:var(--grid);stroke-width:1;fill:none}.line{stroke:var(--line);stroke-width:2}
.frame{stroke:var(--grid);stroke-width:1;fill:none}
.miss{fill:var(--miss)}.hit{fill:var(--hit)}
.cross{stroke:var(--on-hit);stroke-width:2.6;stroke-linecap:round;fill:none}
.hash{stroke:var(--on-sunk);stroke-width:2;stroke-linecap:round;fill:none}
.seen{stroke:var(--accent);stroke-width:2.4;fill:none}
.rim{stroke:var(--rim);stroke-width:5;fill:none}.last{stroke:var(--mark);stroke-width:3;fill:none}
.tick-hit{stroke:var(--hit);stroke-width:2}.tick-sunk{stroke:var(--sunk);stroke-width:4}.now{fill:var(--accent)}
";

/// The marks. A miss is a dot, a hit a cross, a part of a sunk ship a hash on the ship, and what
/// sonar saw a diamond.
pub(super) const DEFINITIONS: &str = r#"<defs>
<circle id="m" class="miss" cx="16" cy="16" r="4"/>
<g id="h"><rect class="hit" x="1" y="1" width="30" height="30" rx="3"/><path class="cross" d="M11 11L21 21M21 11L11 21"/></g>
<path id="s" class="hash" d="M13.5 9.5L11.5 22.5M20.5 9.5L18.5 22.5M9.5 13.5H22.5M9 18.5H22"/>
<path id="y" class="seen" d="M16 8L24 16L16 24L8 16Z"/>
<g id="l"><rect class="rim" x="1" y="1" width="30" height="30" rx="3"/><rect class="last" x="1" y="1" width="30" height="30" rx="3"/></g>
</defs>
"#;

/// The animations with which parts appear (`i`), disappear (`x`), or do both (`o`), after the
/// number of turns in `--t` and `--u`, of `--turn` each: at this pace the eye follows. Without an
/// animation each part is as at the end of the game, so the end is shown on paper and where nothing
/// should move. A press on the picture starts again.
const MOTION: &str = "\
.battleship{--turn:0.4s}
@keyframes here{from,to{visibility:visible}}
@keyframes away{from,to{visibility:hidden}}
.o,.x{visibility:hidden}
.i{animation:away calc(var(--t)*var(--turn))}
.x{animation:here calc(var(--u)*var(--turn))}
.o{animation:here calc((var(--u) - var(--t))*var(--turn)) calc(var(--t)*var(--turn))}
.battleship:active *{animation:none}
@media (prefers-reduced-motion:reduce),print{.battleship *{animation:none!important}}
";

/// Returns the style sheet.
pub(super) fn style(shown: Shown) -> String {
    let mut style = format!("<style>\n{COLOURS}{SHAPES}");
    if shown == Shown::Moving {
        style.push_str(MOTION);
    }
    style.push_str("</style>\n");
    style
}
