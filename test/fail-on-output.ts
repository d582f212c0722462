import { afterEach, expect, vi } from "vitest";

// A library that prints cannot be used in a pipeline, so any console output fails the test.
const METHODS = ["log", "info", "warn", "error", "debug"] as const;
const spies = METHODS.map((method) => vi.spyOn(console, method).mockImplementation(() => {}));

afterEach(() => {
  const printed = spies.flatMap((spy) => spy.mock.calls);
  for (const spy of spies) spy.mockClear();
  expect(printed, "console output during a test").toEqual([]);
});
