import { defineConfig } from "vitest/config";

const common = {
  setupFiles: ["test/fail-on-output.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // One Chromium after the other: two cores do not carry several.
  fileParallelism: false,
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "browser", include: ["test/browser/*.browser.ts"] } },
      { test: { ...common, name: "screenshots", include: ["test/browser/*.shots.ts"] } },
    ],
  },
});
