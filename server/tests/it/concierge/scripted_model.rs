//! Model that follows a script.

use std::{collections::VecDeque, sync::Mutex, time::Duration};

use async_trait::async_trait;
use dewy_connectors::RealClock;
use dewy_domain::ports::{Clock, Model, ModelAnswer, ModelCall, ModelError, ModelRequest};
use serde_json::Value;

/// What the model does when it is asked next.
#[derive(Clone, Debug)]
pub enum ScriptStep {
    /// It says so.
    Words(&'static str),
    /// It asks for these calls, side by side.
    Calls(Vec<(&'static str, Value)>),
    /// The same, with arguments as it wrote them.
    Raw(&'static str, &'static str),
    /// Sends this text, then hangs.
    Hangs(&'static str),
    /// It says so and breaks off.
    Breaks(&'static str),
    Busy,
    Refuses,
}

/// The script. When it is at its end, the model says "Fine.".
#[derive(Debug, Default)]
pub struct Script {
    pub steps: Mutex<VecDeque<ScriptStep>>,
    pub asked: Mutex<Vec<ModelRequest>>,
}

#[async_trait]
impl Model for Script {
    async fn answer(
        &self,
        request: ModelRequest,
        hear: &(dyn for<'a> Fn(&'a str) + Send + Sync),
    ) -> Result<ModelAnswer, ModelError> {
        let n = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(request);
            asked.len()
        };
        let line = self
            .steps
            .lock()
            .unwrap()
            .pop_front()
            .unwrap_or(ScriptStep::Words("Fine."));
        let call = |at: usize, name: &str, arguments: String| ModelCall {
            id: format!("call_{n}_{at}"),
            name: name.to_owned(),
            arguments,
        };
        let mut answer = ModelAnswer {
            input_tokens: 100,
            output_tokens: 10,
            ..ModelAnswer::default()
        };
        match line {
            ScriptStep::Words(words) => {
                for word in words.split_inclusive(' ') {
                    hear(word);
                }
                words.clone_into(&mut answer.text);
            }
            ScriptStep::Calls(calls) => {
                let calls = calls.iter().enumerate();
                answer.calls = calls
                    .map(|(at, (name, arguments))| call(at, name, arguments.to_string()))
                    .collect();
            }
            ScriptStep::Raw(name, arguments) => {
                answer.calls = vec![call(0, name, arguments.to_owned())]
            }
            ScriptStep::Hangs(words) => {
                hear(words);
                RealClock.sleep(Duration::from_secs(600)).await;
            }
            ScriptStep::Breaks(words) => {
                hear(words);
                return Err(ModelError::Broken("cut".to_owned()));
            }
            ScriptStep::Busy => {
                return Err(ModelError::Busy {
                    status: 429,
                    reason: "slow down".to_owned(),
                    after: None,
                });
            }
            ScriptStep::Refuses => {
                return Err(ModelError::Refused {
                    status: 401,
                    reason: "no".to_owned(),
                });
            }
        }
        Ok(answer)
    }

    fn name(&self) -> &str {
        "script"
    }

    fn offline(&self) -> bool {
        true
    }
}
