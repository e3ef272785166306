import createClient from "openapi-fetch";
import type { MakeClient } from "./client.ts";
import type { paths } from "./made/openapi-typescript.ts";

/** openapi-fetch serializes a form correctly only if it contains no arrays. */
function formOf(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    for (const one of [value].flat()) form.append(name, one instanceof Blob ? one : String(one));
  return form;
}

export const makeClient: MakeClient = ({ origin, key }) => {
  const client = createClient<paths>({ baseUrl: origin, headers: { authorization: `Bearer ${key}` } });
  const post = (files: File[], { quality, Prefer }: { quality?: number; Prefer?: string } = {}) => ({
    params: { header: Prefer === undefined ? {} : { Prefer } },
    body: { files, ...(quality === undefined ? {} : { quality }) },
    bodySerializer: formOf,
  });
  return {
    async batch(files) {
      const { data, error } = await client.POST("/api/compress", { ...post(files), parseAs: "blob" });
      if (error) throw new Error(error.detail);
      return data;
    },
    async begin(file) {
      const { response } = await client.POST("/api/compress", post([file], { Prefer: "respond-async" }));
      return response.headers.get("location")?.split("/").at(-1) ?? "";
    },
    async eventTypes(id) {
      const { data } = await client.GET("/api/jobs/{id}/events", { params: { path: { id } }, parseAs: "text" });
      return [...(data ?? "").matchAll(/^event: (\w+)$/gm)].map(([, type = ""]) => type);
    },
    async stateOf(id) {
      const { data } = await client.GET("/api/jobs/{id}", { params: { path: { id } } });
      return data?.state ?? "";
    },
    async result(id) {
      const { data } = await client.GET("/api/jobs/{id}/result", { params: { path: { id } }, parseAs: "blob" });
      return data ?? new Blob();
    },
    async cancel(id) {
      const { data } = await client.DELETE("/api/jobs/{id}", { params: { path: { id } } });
      return data?.state ?? "";
    },
    async refused(file) {
      const { error } = await client.POST("/api/compress", post([file], { quality: 101 }));
      if (!error) throw new Error("A quality of 101 is refused.");
      return { code: error.code, field: error.field, retryable: error.retryable };
    },
  };
};
