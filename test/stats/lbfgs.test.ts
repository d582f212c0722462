import { expect, test } from "vitest";
import { minimise } from "../../src/stats/lbfgs.ts";

const options = { tolerance: 1e-9, maxIterations: 500 };

test("finds the lowest point of a badly scaled bowl", () => {
  const curvatures = [1, 10, 1000, 1e5];
  const { x, converged, value } = minimise(
    (at, gradient) => {
      let sum = 0;
      curvatures.forEach((curvature, i) => {
        const distance = (at[i] ?? 0) - (i + 1);
        gradient[i] = curvature * distance;
        sum += (curvature / 2) * distance * distance;
      });
      return sum;
    },
    4,
    options,
  );
  expect(converged).toBe(true);
  expect(value).toBeCloseTo(0, 12);
  [...x].forEach((coordinate, i) => {
    expect(coordinate).toBeCloseTo(i + 1, 6);
  });
});

test("stops at once where it starts flat, and says when it ran out of iterations", () => {
  const flat = minimise(() => 7, 3, options);
  expect(flat).toMatchObject({ value: 7, iterations: 0, converged: true });
  const steep = minimise(
    (at, gradient) => {
      gradient[0] = Math.exp(at[0] ?? 0) - 5;
      return Math.exp(at[0] ?? 0) - 5 * (at[0] ?? 0);
    },
    1,
    { tolerance: 1e-12, maxIterations: 2 },
  );
  expect(steep).toMatchObject({ iterations: 2, converged: false });
});
