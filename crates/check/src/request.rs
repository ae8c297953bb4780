//! What the requests of a check are answered by.

use battleship::protocol::{Reply, Request, VERSION};

pub(crate) const GREETING: Request = Request::Battleship(VERSION);

/// Returns the first word of the line that answers `request`.
pub(crate) fn reply_word(request: &Request) -> &'static str {
    if *request == GREETING {
        "ready"
    } else {
        request.word()
    }
}

/// Returns the form of a reply to `request`, in words.
pub(crate) fn expected(request: &Request) -> String {
    let reply = match reply_word(request) {
        "ready" => "\"ready\" (before it name, author, plays or human, each on a line of its own)",
        "place" => "\"place ROW COL h|v ...\", three words for each ship, or \"place none\"",
        "attack" => "\"attack ROW COL\"",
        "salvo" => "\"salvo ROW COL ROW COL ...\", with as many cells as it names",
        _ => "\"act ROW COL ROW COL\"",
    };
    format!("one line in answer to {}: {reply}", request.word())
}

/// Whether `reply` answers `request`, a salvo with as many cells as it names.
pub(crate) fn is_answer(reply: &Reply, request: &Request) -> bool {
    match (request, reply) {
        (Request::Battleship(_), Reply::Ready)
        | (Request::Place, Reply::Place(_) | Reply::PlaceNone)
        | (Request::Attack, Reply::Attack(_))
        | (Request::Act, Reply::Act(_)) => true,
        (Request::Salvo(shots), Reply::Salvo(cells)) => cells.len() == *shots,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_reply_begins_with_its_word() {
        let requests = [
            Request::Place,
            Request::Attack,
            Request::Salvo(3),
            Request::Act,
        ];
        for request in requests.into_iter().chain([GREETING]) {
            let reply = format!(": \"{}", reply_word(&request));
            let expected = expected(&request);
            assert!(expected.contains(&reply), "{expected}");
        }
    }
}
