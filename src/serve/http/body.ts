import type { IncomingMessage } from "node:http";
import type { Limits } from "../limits.ts";
import type { WireError } from "../wire-error.ts";

/** A received body, or why there is none. */
export type ReceivedBody =
  | { readonly bytes: Buffer }
  | { readonly refused: WireError }
  | { readonly isGone: true };

/** Of a body that is refused, so many times the limit is read and dropped, so that the sender gets to read why. */
const DRAINED = 4;

/** Receives bodies, each bounded and all together, too. */
export class BodyReader {
  readonly #limits: Pick<Limits, "bodyBytes" | "bufferedBytes">;
  /** Bytes of unfinished bodies. */
  #buffered = 0;

  constructor(limits: Pick<Limits, "bodyBytes" | "bufferedBytes">) {
    this.#limits = limits;
  }

  /** Receives one body. What is refused is known at its end, or when too much was dropped. */
  receive(request: IncomingMessage): Promise<ReceivedBody> {
    const { bodyBytes, bufferedBytes } = this.#limits;
    return new Promise((resolve) => {
      const parts: Buffer[] = [];
      let received = 0;
      let kept = 0;
      let refused: WireError | null = null;
      const drop = (why: WireError) => {
        refused = why;
        this.#buffered -= kept;
        kept = 0;
        parts.length = 0;
      };
      const settle = (result: ReceivedBody) => {
        this.#buffered -= kept;
        kept = 0;
        request.off("data", onData).off("end", onEnd).off("close", onGone);
        resolve(result);
      };
      const onData = (part: Buffer) => {
        received += part.length;
        if (refused) {
          if (received > bodyBytes * (1 + DRAINED)) settle({ refused });
          return;
        }
        if (received > bodyBytes) return drop(tooLarge(bodyBytes));
        if (this.#buffered + part.length > bufferedBytes) return drop(BUSY);
        parts.push(part);
        kept += part.length;
        this.#buffered += part.length;
      };
      const onEnd = () => {
        if (refused) settle({ refused });
        else settle({ bytes: Buffer.concat(parts) });
      };
      const onGone = () => settle({ isGone: true });
      request.on("data", onData).on("end", onEnd).on("close", onGone);
    });
  }
}

const BUSY: WireError = {
  code: "busy",
  message: "too many large bodies are being received at once; send this one again later",
};

function tooLarge(limit: number): WireError {
  const size = limit >= 2 ** 20 ? `${limit / 2 ** 20} MiB` : `${limit} bytes`;
  return {
    code: "too_large",
    message: `the body is longer than ${size}; send fewer answers at once`,
  };
}
