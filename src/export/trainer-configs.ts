import type { Encoding } from "./columnar.ts";
import type { FilePart } from "./format-types.ts";

/** `datasets` calls JSONL `json`. */
const DATASETS_NAMES: Readonly<Record<Encoding, string>> = {
  jsonl: "json",
  parquet: "parquet",
  arrow: "arrow",
};

/** Configuration for trainers that read `messages`, to be used from the export's own folder. */
export function trainerConfigs(
  files: Readonly<Partial<Record<FilePart, string>>>,
  encoding: Encoding,
): Record<string, string> {
  return {
    "axolotl.yaml": axolotl(files, encoding),
    "dataset_info.json": llamaFactory(files),
  };
}

/** The data part of an Axolotl configuration: loss on the assistant's turn and its end only. */
function axolotl(files: Readonly<Partial<Record<FilePart, string>>>, encoding: Encoding): string {
  const entry = (file: string) => `  - path: ${file}
    ds_type: ${DATASETS_NAMES[encoding]}
    type: chat_template
    field_messages: messages
    message_property_mappings:
      role: role
      content: content
    roles_to_train: [assistant]
    train_on_eos: turn
`;
  const { validation, ...others } = files;
  const training = Object.values(others).map(entry).join("");
  return `datasets:\n${training}${validation === undefined ? "" : `test_datasets:\n${entry(validation)}`}`;
}

/** LLaMA-Factory's registry; name the folder as `dataset_dir` and the keys as `dataset`. */
function llamaFactory(files: Readonly<Partial<Record<FilePart, string>>>): string {
  const entries = Object.entries(files).map(([part, file]) => [
    `steerbench_${part}`,
    {
      file_name: file,
      formatting: "sharegpt",
      columns: { messages: "messages" },
      tags: {
        role_tag: "role",
        content_tag: "content",
        user_tag: "user",
        assistant_tag: "assistant",
        system_tag: "system",
      },
    },
  ]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
