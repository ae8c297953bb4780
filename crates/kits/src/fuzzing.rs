//! The reader of `bot.toml`, for fuzz targets. Not part of the stable interface.

use crate::{Recipe, RecipeError};

/// Reads the contents of a `bot.toml`.
///
/// # Errors
/// As [`Recipe::of`].
pub fn recipe_in_bot_toml(bytes: &[u8]) -> Result<Recipe, RecipeError> {
    Recipe::in_bot_toml(bytes)
}
