import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/fail-on-output.ts"],
    testTimeout: 60_000,
  },
});
