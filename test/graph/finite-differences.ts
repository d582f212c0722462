import { dot, norm, randomFloats } from "./support.ts";

const STEP = 0.02;

/**
 * How far a gradient is from the slopes of its function along random directions: the largest
 * difference, over the gradient's length. Slopes come from fourth-order central differences, which
 * leaves rounding as the only error.
 *
 * @param at the point; it is changed and put back
 * @param value the function at the point as it is now
 */
export async function slopeError(
  at: Float32Array,
  gradient: Float32Array,
  value: () => Promise<number>,
  directions = 2,
): Promise<number> {
  const point = at.slice();
  const errors: number[] = [];
  for (let k = 0; k < directions; k++) {
    const direction = randomFloats(`direction ${k}`, at.length);
    const length = norm(direction);
    const valueAt = async (steps: number) => {
      for (let i = 0; i < at.length; i++) {
        at[i] = (point[i] as number) + (steps * STEP * (direction[i] as number)) / length;
      }
      return value();
    };
    const near = (await valueAt(1)) - (await valueAt(-1));
    const far = (await valueAt(2)) - (await valueAt(-2));
    const slope = (8 * near - far) / (12 * STEP);
    errors.push(Math.abs(slope - dot(gradient, direction) / length));
  }
  at.set(point);
  return Math.max(...errors) / norm(gradient);
}
