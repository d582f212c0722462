/** Most bytes of one reply, after decompression: an answer takes a few thousand. */
export const MOST_REPLY_BYTES = 16 * 1024 * 1024;

/** Thrown while a reply is read that goes on beyond {@link MOST_REPLY_BYTES}. */
export class ReplyTooLong extends Error {}

/** `fetch` whose replies, those with a bad status too, end with {@link ReplyTooLong}. */
export const limitedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let left = MOST_REPLY_BYTES;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) throw new ReplyTooLong(`the reply is longer than ${MOST_REPLY_BYTES} bytes`);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
};
