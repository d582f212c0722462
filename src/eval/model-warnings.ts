import type { ModelDescription } from "../model/model.ts";

/**
 * What people should know about a model before they quote its answers. `details.template` says
 * the same in the run.
 */
export function modelWarnings({ name, details }: ModelDescription): string[] {
  const { source } = Object(details["template"]) as Record<string, unknown>;
  if (source !== "plain") return [];
  const what = "has no chat template (chat_template.jinja, or chat_template in its config)";
  const done = "turns are set under the headings System:, User: and Assistant:";
  return [`warning: ${name} ${what}; ${done}, which a chat model was not trained on`];
}
