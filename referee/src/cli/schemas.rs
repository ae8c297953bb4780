//! The JSON Schema of each output for programs. It is made from the types that are printed, and `docs/schemas` has it.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::cli::commands::list::Listed;
use crate::cli::diagnosis;
use engine::contest::{Ranking, Summary};
use engine::record::{ContestHeader, GameRecord, SeriesRecord};
use pages::{EventLine, Explanation};

/// A line of a record.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is needed")]
enum RecordLine {
    /// The first line of a contest's record.
    Contest(Box<ContestHeader>),
    /// A game.
    Game(Box<GameRecord>),
    /// The end of a series.
    Series(SeriesRecord),
}

/// Returns the name and the schema of each output.
#[must_use]
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("check", of::<engine::check::Report>()),
        ("doctor", of::<diagnosis::Report>()),
        ("event", of::<EventLine<'_>>()),
        ("explain", of::<Explanation>()),
        #[cfg(feature = "class")]
        ("gradescope", of::<class::GradescopeResults>()),
        ("list", of::<Listed<'_>>()),
        ("rank", of::<Ranking>()),
        ("record", of::<RecordLine>()),
        ("summary", of::<Summary>()),
    ]
}

fn of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with_transform(RecursiveTransform(|schema: &mut Schema| {
        // Validators know neither `uint64` nor what is taken for a field that an old record lacks.
        schema.remove("format");
        schema.remove("default");
        // Comments of Rust that are to be read beside JSON.
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = text.replace("`None`", "null").replace('\n', " ");
        }
    }));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema
}
