import { z } from "zod";

/** A JSON-RPC 2.0 request, as MCP clients send it. */
const requestSchema = z.object({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
});

/** A JSON-RPC 2.0 reply. */
export const jsonRpcReplySchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]),
  result: z.strictObject({ tools: z.array(z.unknown()) }).exactOptional(),
  error: z.strictObject({ code: z.int(), message: z.string() }).exactOptional(),
});

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;

/** Answers an MCP request: this environment has no tools, an episode takes one answer. */
export function answerJsonRpc(request: unknown): z.infer<typeof jsonRpcReplySchema> {
  const result = requestSchema.safeParse(request);
  if (!result.success) {
    const message = 'invalid request: send {"jsonrpc": "2.0", "method": "tools/list", "id": 1}';
    return { jsonrpc: "2.0", id: null, error: { code: INVALID_REQUEST, message } };
  }
  const { id = null, method } = result.data;
  if (method === "tools/list") return { jsonrpc: "2.0", id, result: { tools: [] } };
  const message = `method not found: ${method.slice(0, 60)}; this environment has no tools`;
  return { jsonrpc: "2.0", id, error: { code: METHOD_NOT_FOUND, message } };
}
