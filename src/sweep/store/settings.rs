//! What the environment says of the storage, looked at before it is used: `object_store` panics at some
//! of what can stand there.

use object_store::ClientConfigKey;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey as Name, AwsCredential};
use ureq::http::Uri;

/// The variables that hold an address.
const ADDRESSES: [(Name, &str); 5] = [
    (Name::Endpoint, "AWS_ENDPOINT_URL"),
    (Name::S3Endpoint, "AWS_ENDPOINT_URL_S3"),
    (Name::StsEndpoint, "AWS_ENDPOINT_URL_STS"),
    (Name::MetadataEndpoint, "AWS_METADATA_ENDPOINT"),
    (Name::ContainerCredentialsFullUri, "AWS_CONTAINER_CREDENTIALS_FULL_URI"),
];

/// Checks addresses and region.
///
/// # Errors
/// Names the variable, what was found and what is allowed.
pub(super) fn check(builder: &AmazonS3Builder) -> Result<(), String> {
    for (key, name) in ADDRESSES {
        let Some(text) = builder.get_config_value(&key) else { continue };
        let read = text.parse::<Uri>().ok();
        let scheme = read.as_ref().and_then(|uri| uri.host().and(uri.scheme_str()));
        if !matches!(scheme, Some("http" | "https")) {
            return Err(format!("{name} is `{text}`; allowed: an address like https://HOST:PORT"));
        }
    }
    if let Some(path) = builder.get_config_value(&Name::ContainerCredentialsRelativeUri)
        && !(path.starts_with('/') && path.parse::<Uri>().is_ok())
    {
        let name = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
        return Err(format!("{name} is `{path}`; allowed: a path that begins with /"));
    }
    let region = builder.get_config_value(&Name::Region).unwrap_or_default();
    if !region.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-') {
        return Err(format!("AWS_REGION is `{region}`; allowed: letters, digits and `-`"));
    }
    check_plain(builder)
}

/// Addresses without encryption are used only where that is asked for.
fn check_plain(builder: &AmazonS3Builder) -> Result<(), String> {
    let endpoint = [Name::S3Endpoint, Name::Endpoint]
        .iter()
        .find_map(|name| builder.get_config_value(name))
        .unwrap_or_default();
    let allowed = builder.get_config_value(&Name::Client(ClientConfigKey::AllowHttp));
    if endpoint.starts_with("http:") && allowed.is_none_or(|word| word == "false") {
        return Err(format!(
            "the endpoint is {endpoint}, without encryption; set AWS_ALLOW_HTTP=true where that is meant"
        ));
    }
    Ok(())
}

/// Checks that a request can be signed with the credentials. Says nothing of what they are.
///
/// # Errors
/// Names what cannot be used.
pub(super) fn check_credentials(credentials: &AwsCredential) -> Result<(), String> {
    let token = credentials.token.as_deref().unwrap_or("none");
    for (name, text) in [
        ("access key", credentials.key_id.as_str()),
        ("secret key", &credentials.secret_key),
        ("session token", token),
    ] {
        if text.is_empty() {
            return Err(format!("the {name} is empty"));
        }
        if !text.chars().all(|letter| letter.is_ascii_graphic()) {
            return Err(format!(
                "the {name} holds a space, a line break or another such character"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_regions_are_looked_at() {
        let with = |key: &str, value: &str| {
            let builder = AmazonS3Builder::new().with_allow_http(true);
            check(&builder.with_config(key.parse().unwrap(), value))
        };
        for (_, name) in ADDRESSES {
            let key = name.to_lowercase();
            for right in ["http://127.0.0.1:9000", "https://s3.example.com", "https://[::1]:9/x"] {
                assert_eq!(with(&key, right), Ok(()), "{name}");
            }
            for wrong in ["", "localhost:9000", "ftp://host", "http://", "http://a b", "a\nb", "/x"]
            {
                let why = with(&key, wrong).unwrap_err();
                assert!(why.starts_with(&format!("{name} is `{wrong}`")), "{why}");
            }
        }
        assert!(with("aws_region", "eu-central-1").is_ok());
        assert!(with("aws_region", "eu central").unwrap_err().contains("AWS_REGION"));
        assert!(with("aws_container_credentials_relative_uri", "/v2/x").is_ok());
        assert!(with("aws_container_credentials_relative_uri", "@evil/x").is_err());
    }

    #[test]
    fn credentials_are_looked_at_and_not_shown() {
        let check = |key_id: &str, secret_key: &str, token: Option<&str>| {
            check_credentials(&AwsCredential {
                key_id: key_id.to_owned(),
                secret_key: secret_key.to_owned(),
                token: token.map(str::to_owned),
            })
        };
        assert_eq!(check("AKIA", "s/e+c=ret", Some("to/ken==")), Ok(()));
        for (key_id, secret, token, what) in [
            ("", "secret", None, "access key is empty"),
            ("AKIA", "", None, "secret key is empty"),
            ("AKIA\n", "secret", None, "access key holds"),
            ("AKIA", "secret ", None, "secret key holds"),
            ("AKIA", "secret", Some("to\r\nken"), "session token holds"),
        ] {
            let why = check(key_id, secret, token).unwrap_err();
            assert!(why.contains(what) && !why.contains("AKIA"), "{why}");
        }
    }
}
