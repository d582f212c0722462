import { expect, test } from "vitest";
import { parseAddress } from "../../../src/model/endpoint/address.ts";

test("takes all after the first # for the model's name", () => {
  expect(parseAddress("https://api.host/v1#org/model:free#2")).toEqual({
    spec: "https://api.host/v1#org/model:free#2",
    baseUrl: "https://api.host/v1",
    model: "org/model:free#2",
    credentials: null,
  });
});

test("one endpoint has one SPEC, however its URL is written", () => {
  for (const url of ["http://HOST:80/v1", "http://host/v1/", "http://host/v1//"]) {
    expect(parseAddress(`${url}#m`).spec).toBe("http://host/v1#m");
  }
  expect(parseAddress("http://127.0.0.1:8080#m").baseUrl).toBe("http://127.0.0.1:8080");
});

test("keeps credentials apart, decoded", () => {
  expect(parseAddress("http://a%40b:p%2Fw@host/v1#m")).toMatchObject({
    spec: "http://host/v1#m",
    credentials: { user: "a@b", password: "p/w" },
  });
});

test.each([
  ["http://host/v1", /endpoint http:\/\/host\/v1: the model's name is missing after #/],
  ["http://host/v1# ", /name is missing/],
  ["http://host/v1?a=1#m", /leave out the query/],
  ["http://host/v1/chat/completions#m", /leave out \/chat\/completions/],
  ["ftp://host/v1#m", /must be http or https/],
  ["http://#m", /cannot be read/],
  ["http://host/v1/chat/completions?a=1", /missing after #; .*query.*; leave out \/chat/],
])("refuses %s and says how an endpoint is written", (spec, told) => {
  expect(() => parseAddress(spec)).toThrow(told);
  expect(() => parseAddress(spec)).toThrow("http(s)://host/v1#model");
});
