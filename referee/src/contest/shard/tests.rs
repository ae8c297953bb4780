//! Tests of shards: what is typed, and the variables of each kind of array job.

use super::*;

fn shard(text: &str) -> Shard {
    text.parse().unwrap()
}

fn found(of: Option<usize>, environment: &[(&str, &str)]) -> Result<String, String> {
    let get = |name: &str| {
        environment
            .iter()
            .find(|(variable, _)| *variable == name)
            .map(|(_, value)| (*value).to_owned())
    };
    Shard::from_environment(of, get)
        .map(|shard| shard.to_string())
        .map_err(|error| error.to_string())
}

#[test]
fn every_series_is_in_one_shard() {
    let shards = [shard("1/3"), shard("2/3"), shard("3/3")];
    for number in 0..100 {
        assert_eq!(shards.iter().filter(|shard| shard.takes(number)).count(), 1);
    }
    assert!((0..9).all(|number| shard("1/1").takes(number)));
}

#[test]
fn a_shard_is_written_as_it_is_read() {
    for text in ["1/1", "1/8", "8/8", "12/100"] {
        assert_eq!(shard(text).to_string(), text);
    }
    assert_eq!((shard("2/8").to_string().as_str(), shard("2/8").of()), ("2/8", 8));
    for text in [
        "",
        "/",
        "1",
        "0/3",
        "4/3",
        "1/0",
        "+1/3",
        "1/3/3",
        " 1/3",
        "a/b",
        "99999999999999999999/1",
    ] {
        let error = text.parse::<Shard>().unwrap_err().to_string();
        let expected = "expected k/N with k from 1 to N, as in 2/8, or auto or auto/N, got ";
        assert_eq!(error, format!("{expected}{text:?}"));
    }
}

#[test]
fn an_argument_is_a_shard_or_auto() {
    assert_eq!("2/3".parse(), Ok(ShardArgument::Given(shard("2/3"))));
    assert_eq!("auto".parse(), Ok(ShardArgument::Auto { of: None }));
    assert_eq!("auto/8".parse(), Ok(ShardArgument::Auto { of: Some(8) }));
    for text in ["auto/0", "auto/", "auto8", "automatic", "auto/8/8", "3/2"] {
        assert!(text.parse::<ShardArgument>().is_err(), "{text}");
    }
}

#[test]
fn a_slurm_array_may_begin_anywhere_and_go_in_steps() {
    let array = |id, first, step, count| {
        [
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", first),
            ("SLURM_ARRAY_TASK_STEP", step),
            ("SLURM_ARRAY_TASK_COUNT", count),
        ]
    };
    assert_eq!(found(None, &array("3", "1", "1", "8")).unwrap(), "3/8");
    assert_eq!(found(Some(3), &array("20", "10", "10", "3")).unwrap(), "2/3");
    let id = ("SLURM_ARRAY_TASK_ID", "0");
    assert_eq!(found(None, &[id, ("SLURM_ARRAY_TASK_COUNT", "2")]).unwrap(), "1/2");
    assert_eq!(found(Some(2), &[id]).unwrap(), "1/2");
}

#[test]
fn a_slurm_array_that_is_no_row_of_shards_is_refused() {
    let array = |id, first, step| {
        let variables = ["SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP"];
        let [a, b, c] = variables;
        found(None, &[(a, id), (b, first), (c, step), ("SLURM_ARRAY_TASK_COUNT", "3")])
    };
    for (id, first, step) in [("7", "1", "1"), ("2", "1", "2"), ("0", "1", "1"), ("1", "1", "0")] {
        assert_eq!(
            array(id, first, step).unwrap_err(),
            format!(
                "SLURM_ARRAY_TASK_ID is {id}, which is none of 3 ids from {first} in steps of {step}: start the \
                 array without gaps, as in 1-3, or give the shard as k/N"
            )
        );
    }
    assert_eq!(
        array("x", "1", "1").unwrap_err(),
        "SLURM_ARRAY_TASK_ID is \"x\": expected a whole number"
    );
    assert_eq!(
        array("1", "", "1").unwrap_err(),
        "SLURM_ARRAY_TASK_MIN is \"\": expected a whole number"
    );
    let two = [("SLURM_ARRAY_TASK_ID", "0"), ("SLURM_ARRAY_TASK_COUNT", "2")];
    assert_eq!(
        found(Some(8), &two).unwrap_err(),
        "SLURM_ARRAY_TASK_COUNT is 2, but there are to be 8 shards: start 8 tasks, or give the shard as k/N"
    );
    assert_eq!(
        found(None, &two[..1]).unwrap_err(),
        "SLURM_ARRAY_TASK_ID does not tell how many tasks there are: give their number as auto/N"
    );
}

#[test]
fn kubernetes_counts_from_0_and_does_not_tell_how_many() {
    let task = |id| [("JOB_COMPLETION_INDEX", id)];
    assert_eq!(found(Some(4), &task("0")).unwrap(), "1/4");
    assert_eq!(found(Some(4), &task("3")).unwrap(), "4/4");
    assert_eq!(
        found(Some(4), &task("4")).unwrap_err(),
        "JOB_COMPLETION_INDEX is 4: expected ids from 0 to 3, one for each of 4 shards"
    );
    assert_eq!(
        found(None, &task("0")).unwrap_err(),
        "JOB_COMPLETION_INDEX does not tell how many tasks there are: give their number as auto/N"
    );
}

#[test]
fn hyperqueue_counts_from_1() {
    let task = |id| [("HQ_TASK_ID", id)];
    assert_eq!(found(Some(4), &task("1")).unwrap(), "1/4");
    assert_eq!(found(Some(4), &task("4")).unwrap(), "4/4");
    for id in ["0", "5"] {
        assert_eq!(
            found(Some(4), &task(id)).unwrap_err(),
            format!("HQ_TASK_ID is {id}: expected ids from 1 to 4, one for each of 4 shards")
        );
    }
}

#[test]
fn outside_of_an_array_job_the_shard_has_to_be_given() {
    assert_eq!(
        found(Some(2), &[]).unwrap_err(),
        "none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and HQ_TASK_ID is set: give the shard as k/N"
    );
}
