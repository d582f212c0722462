/** What a list of numbers is summed up as. */
const STATISTICS = {
  mean: (values: readonly number[]) => sum(values) / values.length,
  max: (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b)),
  min: (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b)),
  median: (values: readonly number[]) => {
    const sorted = [...values].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    const upper = sorted[middle] as number;
    return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
  },
  /** Of a sample; 0 for one value, as NeMo Gym reports it. */
  std: (values: readonly number[]) => {
    if (values.length < 2) return 0;
    const mean = sum(values) / values.length;
    return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
  },
};

const TASK_INDEX = "_ng_task_index";
const ROLLOUT_INDEX = "_ng_rollout_index";

/** A reply of `/verify`, as it was stored. */
export type VerifyReply = Readonly<Record<string, unknown>>;

type Summary = Record<string, number>;

/** See NeMo Gym's AggregateMetrics. */
export interface AggregateMetrics {
  readonly group_level_metrics: readonly Summary[];
  readonly agent_metrics: Summary;
  readonly key_metrics: Summary;
}

/**
 * Sums up verify replies as NeMo Gym does: mean, max, min, median and std of every number at the
 * top level, over all and for each task. Masked replies measure nothing: they stay out and are
 * counted.
 */
export function aggregate(replies: readonly VerifyReply[]): AggregateMetrics {
  if (replies.length === 0) return { group_level_metrics: [], agent_metrics: {}, key_metrics: {} };
  const measured = replies.filter((reply) => reply["mask_sample"] !== true);
  const coverage = coverageOf(replies, measured);
  if (measured.length === 0) {
    return { group_level_metrics: [], agent_metrics: coverage, key_metrics: coverage };
  }
  const repeats = new Set(replies.map((reply) => reply[ROLLOUT_INDEX] ?? 0)).size;
  const agent = { ...summarize(measured), ...coverage, num_repeats: repeats };
  const means = Object.entries(agent).filter(([key]) => key.startsWith("mean/"));
  const groups = [...byTask(measured)]
    .sort(([a], [b]) => a - b)
    .map(([task, own]) => ({ [TASK_INDEX]: task, ...summarize(own) }));
  return {
    group_level_metrics: groups,
    agent_metrics: agent,
    key_metrics: { ...Object.fromEntries(means), ...coverage },
  };
}

function summarize(replies: readonly VerifyReply[]): Summary {
  const columns = new Map<string, number[]>();
  for (const reply of replies) {
    for (const [key, value] of Object.entries(reply)) {
      if (key.startsWith("_") || key === "mask_sample") continue;
      const number = typeof value === "boolean" ? Number(value) : value;
      if (typeof number !== "number") continue;
      const column = columns.get(key);
      if (column) column.push(number);
      else columns.set(key, [number]);
    }
  }
  const summary: Summary = {};
  for (const [name, compute] of Object.entries(STATISTICS)) {
    for (const [key, values] of columns) summary[`${name}/${key}`] = compute(values);
  }
  return summary;
}

function coverageOf(all: readonly VerifyReply[], measured: readonly VerifyReply[]): Summary {
  if (all.length === measured.length) return {};
  const tasks = byTask(measured).size;
  return {
    "coverage/measured_rollouts": measured.length,
    "coverage/masked_rollouts": all.length - measured.length,
    "coverage/measured_tasks": tasks,
    "coverage/fully_masked_tasks": byTask(all).size - tasks,
  };
}

function byTask(replies: readonly VerifyReply[]): Map<number, VerifyReply[]> {
  const tasks = new Map<number, VerifyReply[]>();
  for (const reply of replies) {
    const index = reply[TASK_INDEX];
    const task = typeof index === "number" ? index : 0;
    const own = tasks.get(task);
    if (own) own.push(reply);
    else tasks.set(task, [reply]);
  }
  return tasks;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
