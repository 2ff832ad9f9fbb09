//! Staff passwords, hashed with argon2id.

use std::sync::Arc;

use argon2::{
    Argon2, PasswordHash, PasswordHasher, PasswordVerifier,
    password_hash::{self, SaltString},
};
use dewy_domain::ports::Entropy;
use tokio::sync::Semaphore;

/// Hash that no password matches, so that an unknown account takes as long as a known one.
const UNMATCHABLE_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$ZGV3eSByZXNvcnQgMA$L2ODeATIGc8f8B4uQKl4ihv9yFKdsusj9fgFyEk1mXI";

/// Queue of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Browsers that the account has used before: whoever guesses elsewhere does not delay them.
    Known,
    /// All others.
    Unknown,
}

/// Hashes and verifies passwords, a few at a time: each takes 19 MiB.
#[derive(Clone, Debug)]
pub struct Passwords {
    known: Arc<Semaphore>,
    unknown: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            known: Arc::new(Semaphore::new(1)),
            unknown: Arc::new(Semaphore::new(2)),
        }
    }
}

impl Passwords {
    /// Whether the password matches the hash. Without a hash it never does, and takes as long.
    pub async fn verify(&self, password: &str, hash: Option<&str>, lane: Lane) -> bool {
        let turns = match lane {
            Lane::Known => &self.known,
            Lane::Unknown => &self.unknown,
        };
        let Ok(_turn) = turns.acquire().await else {
            return false;
        };
        let known = hash.is_some();
        let (password, hash) = (
            password.to_owned(),
            hash.unwrap_or(UNMATCHABLE_HASH).to_owned(),
        );
        let fits = tokio::task::spawn_blocking(move || {
            PasswordHash::new(&hash).is_ok_and(|hash| {
                Argon2::default()
                    .verify_password(password.as_bytes(), &hash)
                    .is_ok()
            })
        });
        fits.await.unwrap_or(false) && known
    }

    /// Hashes a password.
    ///
    /// # Errors
    /// When argon2 fails.
    pub fn hash(password: &str, entropy: &dyn Entropy) -> Result<String, password_hash::Error> {
        let mut salt = [0; 16];
        entropy.fill(&mut salt);
        let salt = SaltString::encode_b64(&salt)?;
        Ok(Argon2::default()
            .hash_password(password.as_bytes(), &salt)?
            .to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dewy_connectors::OsEntropy;

    use crate::auth::demo_accounts;

    #[tokio::test]
    async fn only_the_correct_password_verifies() {
        let passwords = Passwords::default();
        let verify = async |password, hash| passwords.verify(password, hash, Lane::Unknown).await;
        let hash = Passwords::hash("correct horse", &OsEntropy).unwrap();
        assert!(hash.starts_with("$argon2id$"));
        assert!(verify("correct horse", Some(&*hash)).await);
        assert!(!verify("battery staple", Some(&*hash)).await);
        assert!(!verify("correct horse", None).await);
        assert!(
            PasswordHash::new(UNMATCHABLE_HASH).is_ok(),
            "else an unknown account would answer at once"
        );
        assert!(verify(demo_accounts::DEMO_PASSWORD, Some(demo_accounts::DEMO_HASH)).await);
    }
}
