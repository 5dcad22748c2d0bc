//! The gate's manifests and policies from any text; what is read is decided upon.

#![no_main]

use failover_budget::gate;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|texts: (&str, &str, &str)| {
    let (primary, standby, policy) = texts;
    let policy = gate::policy("policy", policy).unwrap_or_default();
    if let (Ok(primary), Ok(standby)) =
        (gate::manifest("primary", primary), gate::manifest("standby", standby))
    {
        let _ = gate::decide(&primary, &standby, &policy, None);
    }
});
