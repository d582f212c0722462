"""
A Llama decoder as an ONNX graph of standard operators, in the layout that optimum exports.

Inputs: input_ids, attention_mask, position_ids, past_key_values.N.key and .value.
Outputs: logits, present.N.key and .value. Batch and sequence lengths are free.

Letters in shapes: B batch, S new tokens, T all tokens (past and new), H hidden size,
N query heads, K key-value heads, D head size, V vocabulary.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from .numpy_llama import Config, Weights, inverse_frequencies

OPSET = 17
IR_VERSION = 9


class Graph:
    """Nodes and constants in the order in which they are added."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: Any) -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def add(self, operator: str, inputs: list[str], name="", out="", **attributes: Any) -> str:
        """Adds a node with one output and returns the output's name."""
        name = name or f"/{operator}_{len(self.nodes)}"
        out = out or name + "_output_0"
        self.nodes.append(helper.make_node(operator, inputs, [out], name=name, **attributes))
        return out


def write_onnx(path: Path, weights: Weights, config: Config) -> int:
    """
    Writes the graph with fp32 weights (Hugging Face names, [out, in]) and checks it.

    The head is tied to the embedding: the array is stored once. Returns the number of nodes.
    """
    graph = Graph()
    add_shared_constants(graph, config)
    cos, sin = add_rotary_angles(graph, config)
    mask = add_mask(graph)

    embedding = graph.constant("model.embed_tokens.weight", weights["model.embed_tokens.weight"])
    x = graph.add("Gather", [embedding, "input_ids"], name="/model/embed_tokens/Gather")
    for layer in range(config["num_hidden_layers"]):
        x = add_attention(graph, weights, layer, x, cos, sin, mask)
        x = add_mlp(graph, weights, layer, x)
    x = add_norm(graph, weights, "model.norm.weight", x)
    head = graph.add("Transpose", [embedding], name="/lm_head/Transpose", perm=[1, 0])
    graph.add("MatMul", [x, head], name="/lm_head/MatMul", out="logits")

    inputs, outputs = describe_tensors(config)
    model = helper.make_model(
        helper.make_graph(graph.nodes, "main_graph", inputs, outputs, graph.constants),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="steerbench",
    )
    onnx.save_model(model, path)
    onnx.checker.check_model(path)
    return len(graph.nodes)


def describe_tensors(config: Config) -> tuple[list, list]:
    """The graph's inputs and outputs with their types and symbolic shapes."""
    kv_heads, size = config["num_key_value_heads"], config["head_dim"]

    def ints(name: str, length: str):
        return helper.make_tensor_value_info(name, TensorProto.INT64, ["batch_size", length])

    def floats(name: str, shape: list):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch_size", *shape])

    inputs = [
        ints("input_ids", "sequence_length"),
        ints("attention_mask", "total_sequence_length"),
        ints("position_ids", "sequence_length"),
    ]
    outputs = [floats("logits", ["sequence_length", config["vocab_size"]])]
    for layer in range(config["num_hidden_layers"]):
        for part in ("key", "value"):
            past = [kv_heads, "past_sequence_length", size]
            present = [kv_heads, "total_sequence_length", size]
            inputs.append(floats(f"past_key_values.{layer}.{part}", past))
            outputs.append(floats(f"present.{layer}.{part}", present))
    return inputs, outputs


def add_shared_constants(graph: Graph, config: Config) -> None:
    """Axes, shapes and scalars. In a Reshape, 0 keeps the dimension and -1 is worked out."""
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    size = config["head_dim"]
    integers = {
        "zero": 0,
        "one": 1,
        "axis_0": [0],
        "axis_1": [1],
        "axis_last": [-1],
        "half_head": [size // 2],
        "whole_head": [size],
        "split_queries": [0, 0, heads, size],
        "split_keys": [0, 0, kv_heads, size],
        "by_kv_head": [0, kv_heads, -1, 0],
        "by_head": [0, heads, -1, 0],
        "join_heads": [0, 0, heads * size],
    }
    floats = {
        "two": 2.0,
        "epsilon": config["rms_norm_eps"],
        "attention_scale": size**-0.5,
        "seen": 0.0,
        "unseen": np.finfo(np.float32).min,
    }
    for name, value in integers.items():
        graph.constant(name, np.array(value, np.int64))
    for name, value in floats.items():
        graph.constant(name, np.array(value, np.float32))


def add_rotary_angles(graph: Graph, config: Config) -> tuple[str, str]:
    """Cosine and sine of the rotary angles from position_ids: [B, 1, S, D]."""
    graph.constant("inverse_frequencies", inverse_frequencies(config))
    positions = graph.add("Cast", ["position_ids"], to=TensorProto.FLOAT)
    column = graph.add("Unsqueeze", [positions, "axis_last"])
    half = graph.add("Mul", [column, "inverse_frequencies"])
    angles = graph.add("Unsqueeze", [graph.add("Concat", [half, half], axis=-1), "axis_1"])
    return graph.add("Cos", [angles]), graph.add("Sin", [angles])


def add_mask(graph: Graph) -> str:
    """What is added to attention scores, [B, 1, S, T]: 0 where a token may look, else lowest."""
    new = graph.add("Gather", [graph.add("Shape", ["input_ids"]), "one"], axis=0)
    total = graph.add("Gather", [graph.add("Shape", ["attention_mask"]), "one"], axis=0)
    past = graph.add("Sub", [total, new])
    rows = graph.add("Unsqueeze", [graph.add("Range", [past, total, "one"]), "axis_1"])
    columns = graph.add("Unsqueeze", [graph.add("Range", ["zero", total, "one"]), "axis_0"])
    causal = graph.add("LessOrEqual", [columns, rows])
    real = graph.add("Cast", ["attention_mask"], to=TensorProto.BOOL)
    for _ in range(2):  # [S, T] and [B, T] both to four dimensions
        causal = graph.add("Unsqueeze", [causal, "axis_0"])
        real = graph.add("Unsqueeze", [real, "axis_1"])
    return graph.add("Where", [graph.add("And", [causal, real]), "seen", "unseen"])


def add_norm(graph: Graph, weights: Weights, key: str, x: str) -> str:
    """Root-mean-square norm, in the shape that onnxruntime fuses into one kernel."""
    variance = graph.add("ReduceMean", [graph.add("Pow", [x, "two"])], axes=[-1], keepdims=1)
    root = graph.add("Sqrt", [graph.add("Add", [variance, "epsilon"])])
    return graph.add("Mul", [graph.add("Div", [x, root]), graph.constant(key, weights[key])])


def add_linear(graph: Graph, weights: Weights, key: str, x: str) -> str:
    """Multiplies by a weight matrix, stored [in, out]."""
    matrix = graph.constant(f"onnx::MatMul::{key}", np.ascontiguousarray(weights[key].T))
    node = "/" + key.removesuffix(".weight").replace(".", "/") + "/MatMul"
    return graph.add("MatMul", [x, matrix], name=node)


def add_rotation(graph: Graph, x: str, cos: str, sin: str) -> str:
    """Rotary position embedding; pairs are dimension i and i + D/2."""
    first = graph.add("Slice", [x, "axis_0", "half_head", "axis_last"])
    second = graph.add("Slice", [x, "half_head", "whole_head", "axis_last"])
    turned = graph.add("Concat", [graph.add("Neg", [second]), first], axis=-1)
    return graph.add("Add", [graph.add("Mul", [x, cos]), graph.add("Mul", [turned, sin])])


def add_attention(
    graph: Graph, weights: Weights, layer: int, x: str, cos: str, sin: str, mask: str
) -> str:
    """
    One attention block with its residual.

    The N/K query heads that share a key head are laid under one another, so that keys and values
    are never copied per head: [B, N, S, D] is reshaped to [B, K, N/K * S, D] and back.
    """
    prefix = f"model.layers.{layer}."

    def project(which: str, shape: str) -> str:
        flat = add_linear(graph, weights, f"{prefix}self_attn.{which}_proj.weight", normed)
        return graph.add("Transpose", [graph.add("Reshape", [flat, shape])], perm=[0, 2, 1, 3])

    def append_to_past(new: str, part: str) -> str:
        past, present = f"past_key_values.{layer}.{part}", f"present.{layer}.{part}"
        return graph.add("Concat", [past, new], out=present, axis=2)

    normed = add_norm(graph, weights, prefix + "input_layernorm.weight", x)
    queries = add_rotation(graph, project("q", "split_queries"), cos, sin)
    keys = append_to_past(add_rotation(graph, project("k", "split_keys"), cos, sin), "key")
    values = append_to_past(project("v", "split_keys"), "value")

    scaled = graph.add("Mul", [queries, "attention_scale"])
    grouped = graph.add("Reshape", [scaled, "by_kv_head"])
    products = graph.add("MatMul", [grouped, graph.add("Transpose", [keys], perm=[0, 1, 3, 2])])
    scores = graph.add("Add", [graph.add("Reshape", [products, "by_head"]), mask])
    shares = graph.add("Reshape", [graph.add("Softmax", [scores], axis=-1), "by_kv_head"])
    mixed = graph.add("Reshape", [graph.add("MatMul", [shares, values]), "by_head"])
    joined = graph.add("Transpose", [mixed], perm=[0, 2, 1, 3])
    flat = graph.add("Reshape", [joined, "join_heads"])
    update = add_linear(graph, weights, prefix + "self_attn.o_proj.weight", flat)
    return graph.add("Add", [x, update])


def add_mlp(graph: Graph, weights: Weights, layer: int, x: str) -> str:
    """One gated feed-forward block (SwiGLU) with its residual."""
    prefix = f"model.layers.{layer}."
    normed = add_norm(graph, weights, prefix + "post_attention_layernorm.weight", x)
    gate = add_linear(graph, weights, prefix + "mlp.gate_proj.weight", normed)
    up = add_linear(graph, weights, prefix + "mlp.up_proj.weight", normed)
    active = graph.add("Mul", [graph.add("Mul", [gate, graph.add("Sigmoid", [gate])]), up])
    update = add_linear(graph, weights, prefix + "mlp.down_proj.weight", active)
    return graph.add("Add", [x, update])
