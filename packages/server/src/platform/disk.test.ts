import { DomainError } from "@tintype/contract";
import { expect, test } from "vitest";
import { isDiskFull, openDisk, requireRoom } from "./disk.ts";

test("a full disk or quota is known by its code, wherever it is among the causes", () => {
  const failed = (code: string) => Object.assign(new Error("write"), { code });
  expect(isDiskFull(failed("ENOSPC"))).toBe(true);
  expect(isDiskFull(new DomainError("unavailable", { cause: failed("EDQUOT") }))).toBe(true);
  expect(isDiskFull(new DomainError("unavailable", { cause: failed("EIO") }))).toBe(false);
  expect(isDiskFull(undefined)).toBe(false);
});

test("a process is not ready while its disk is full, and says why", async () => {
  await expect(requireRoom({ isFull: async () => true })).rejects.toMatchObject({
    code: "unavailable",
    detail: expect.stringContaining("disk of this process is full"),
  });
  await requireRoom(openDisk(import.meta.dirname));
});
