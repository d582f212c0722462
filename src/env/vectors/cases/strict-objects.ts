import { LABELS } from "../../../core/intervention.ts";
import { cases, nestedArrays, objectNaming, type ParseCase } from "./case.ts";

const ASK = objectNaming("ASK");

/** Members that make no RFC 8259 object. */
const MALFORMED: readonly string[] = [
  '"intervention":"ASK","reason":"r",',
  '"intervention":"ASK",,"reason":"r"',
  ',"intervention":"ASK","reason":"r"',
  '"intervention":"ASK" "reason":"r"',
  '"intervention" "ASK","reason":"r"',
  '"intervention":"ASK":"reason","r":1',
  '"intervention","ASK","reason":"r"',
  '"intervention"::"ASK"',
  '"intervention":"ASK","reason"',
  '"intervention":"ASK","reason":',
  '"intervention":"ASK","reason":"a\nb"',
  '"intervention":"ASK","reason":"a\tb"',
  '"intervention":"ASK","reason":"\\x41"',
  '"intervention":"ASK","reason":"\\u00g1"',
  '"intervention":"ASK","reason":"\\u00\u0661\u0661"',
  '"intervention":"ASK","reason":"r"\v',
  '"intervention":"ASK","reason":"r"\u00a0',
  '"intervention":"ASK"/* sure */,"reason":"r"',
  ...[
    ..."NaN Infinity -Infinity nan 01 1. .5 +1 1e --1 - 0x1 \u0661 True nul truex undefined".split(
      " ",
    ),
    ...'[1,] [,1] [1 1] {1:2} [1}] {] [} {"b"} {"b":} {,} {"b":1,} [:] [1:2] ] : ,'.split(" "),
    "[1 2]",
    "1 2",
    '"b" "c"',
  ].map((value) => `"intervention":"ASK","reason":"r","x":${value}`),
];

/** What the strict parse takes and refuses, and what the lenient one makes of it. */
export const STRICT_OBJECTS: readonly ParseCase[] = [
  ...cases("every label", LABELS.map(objectNaming)),
  ...cases("extra keys and white space", [
    '{"intervention":"ASK","reason":"","confidence":-0.5e+10,"a":[1,{"b":null}],"c":true,"d":false}',
    '{ \t\r\n"intervention" :\n"ASK" , "reason":"r" }',
    '{"reason":"r","intervention":"ASK"}',
    '{"\\u0069ntervention":"\\u0041SK","reason":"r"}',
    '{"intervention":"ASK","reason":"r","__proto__":{"a":1},"constructor":null}',
    '{"intervention":"ASK","reason":"\u00e9\u2028\ud83d\ude00\u007f"}',
  ]),
  ...cases("not one object", [
    `${ASK}.`,
    `${ASK}${ASK}`,
    `[${ASK}]`,
    "{}{}",
    "{intervention:'ASK'}",
    "{'intervention':'ASK','reason':'r'}",
    '{"intervention":"ASK","reason":"r"} // sure',
    '{"intervention":"ASK"/* sure */,"reason":"r"}',
    '{"intervention":"ASK","reason":"r"\v}',
    '{"intervention":"ASK","reason":"r"\u00a0}',
  ]),
  ...MALFORMED.flatMap((members) =>
    cases("malformed", [
      `{${members}}`,
      // The same where a fast decoder steps aside: a repeated key, more brackets than levels.
      `{"x":{"a":1,"a":2},${members}}`,
      `{"reason":"${"[".repeat(70)}",${members}}`,
      `{"x":[{${members}}]}`,
    ]),
  ),
  ...cases("numbers of any length", [
    `{"intervention":"ASK","reason":"r","x":${"9".repeat(5000)}}`,
    '{"intervention":"ASK","reason":"r","x":1e999,"y":-0,"z":0.0}',
  ]),
  ...cases("depth", [
    ...[64, 65].map((depth) => `{"intervention":"ASK","reason":"r","x":${nestedArrays(depth)}}`),
    `{"intervention":"ASK","reason":"r","x":${'{"a":'.repeat(63)}1${"}".repeat(63)}}`,
    `{"intervention":"ASK","reason":"r","x":${'{"a":'.repeat(64)}1${"}".repeat(64)}}`,
    `{"intervention":"ASK","reason":"${"[{".repeat(90)}"}`,
  ]),
  ...cases("repeated keys", [
    '{"intervention":"ASK","reason":"r","reason":"s"}',
    '{"intervention":"ASK","intervention":"ASK","reason":"r"}',
    '{"intervention":"ASK","\\u0069ntervention":"WAIT","reason":"r"}',
    '{"intervention":"ASK","reason":"r","x":{"a":1,"a":2}}',
    '{"intervention":"ASK","reason":"r","x":[{"a":1},{"a":2}]}',
    '{"intervention":"ASK","reason":"r","x":{"intervention":"WAIT","intervention":"ACT"}}',
    '{"intervention":"STOP","reason":"r","reason":"s"}',
    '{"intervention":"ASK","intervention":"ASK","reason":"r","a":1,"a":2}',
    '{"a":{"b":[1,"2",{}],"b":[]},"intervention":"ASK","reason":"r"}',
    `{"intervention":"ASK","reason":"r"${',"a":1'.repeat(40)}}`,
  ]),
  ...cases("labels that are none", [
    '{"intervention":"ask","reason":"r"}',
    '{"intervention":" ASK","reason":"r"}',
    '{"intervention":"A\u0405K","reason":"r"}',
    '{"intervention":"\uff21\uff33\uff2b","reason":"r"}',
    '{"intervention":"ESCALATE","reason":"r"}',
    '{"Intervention":"ASK","reason":"r"}',
    '{"reason":"r"}',
    '{"x":{"intervention":"ASK","reason":"r"}}',
    "{}",
  ]),
  ...cases("reasons that are none", [
    '{"intervention":"ASK"}',
    '{"intervention":"ASK","reason":null}',
    '{"intervention":"ASK","reason":["r"]}',
    '{"intervention":"ASK","Reason":"r"}',
  ]),
];
