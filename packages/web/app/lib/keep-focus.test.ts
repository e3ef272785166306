// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFocusFree, keepFocus } from "./keep-focus.ts";

const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
const settled = async () => {
  await frames();
  await frames();
};
const at = (id: string) => document.getElementById(id) as HTMLElement; // the page below has all of them
let stop: () => void;

beforeEach(() => {
  document.body.innerHTML = `<button id="outside"></button>
    <main id="main" tabindex="-1">
      <section id="bench">
        <ul id="list"><li id="row"><button id="remove"></button></li><li><button id="next"></button></li></ul>
        <div id="bar"><button id="cancel"></button></div>
      </section>
      <dialog id="dialog" open><form id="form"><p id="step"><button id="go"></button></p></form></dialog>
    </main>`;
  stop = keepFocus(at("main"));
});
afterEach(() => stop());

test.each([
  ["row", "remove", "list"],
  ["list", "remove", "bench"],
  ["bar", "cancel", "bench"],
  ["bench", "cancel", "main"],
  ["step", "go", "form"],
])("with #%s gone, the focus of #%s is at #%s", async (gone, focused, place) => {
  at(focused).focus();
  at(gone).remove();
  await settled();
  expect(document.activeElement?.id).toBe(place);
  expect(isFocusFree()).toBe(true);
});

test("a button that is disabled while it has the focus hands it on; a place is left as it was", async () => {
  at("cancel").focus();
  at("cancel").setAttribute("disabled", "");
  at("cancel").blur(); // browsers blur it in the next frame
  await settled();
  expect(document.activeElement?.id).toBe("bench");
  at("next").focus();
  expect(at("bench").hasAttribute("tabindex")).toBe(false);
  expect(isFocusFree()).toBe(false);
});

test("what takes the focus itself keeps it, and a click beside everything is no loss", async () => {
  at("remove").focus();
  at("row").remove();
  at("next").focus();
  await settled();
  expect(document.activeElement?.id).toBe("next");
  at("next").blur();
  await settled();
  at("list").remove();
  await settled();
  expect(document.activeElement).toBe(document.body);
});

test("the focus outside is not its business", async () => {
  at("outside").focus();
  at("outside").remove();
  at("row").remove();
  await settled();
  expect(document.activeElement).toBe(document.body);
});
