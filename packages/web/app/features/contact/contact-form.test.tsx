// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { text } from "@tintype/contract";
import { type Api, ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { ApiProvider } from "../../lib/api/context.tsx";
import { createToasts, ToastContext } from "../../ui/toasts.tsx";
import { ContactForm } from "./contact-form.tsx";

afterEach(cleanup);

function renderForm(answer: () => Promise<unknown>) {
  const sent: unknown[] = [];
  const said: string[] = [];
  const absent = () => Promise.reject(new Error("not asked for in this test"));
  const call = (async (_, { json }) => {
    sent.push(json);
    return answer();
  }) as Api["call"]; // only this endpoint is called
  const say = (sentence: string) => said.push(sentence);
  render(
    <ApiProvider api={{ call, open: absent, locate: absent }}>
      <ToastContext value={{ ...createToasts(), error: say, success: say }}>
        <ContactForm />
      </ToastContext>
    </ApiProvider>,
  );
  return { sent, said, user: userEvent.setup() };
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const send = () => screen.getByRole("button", { name: /^Send/ });
const status = () => screen.getByRole("status").textContent;
async function fill(user: ReturnType<typeof userEvent.setup>, email = "ann@example.com") {
  await user.type(field("Name"), "Ann");
  await user.type(field("Email"), email);
  await user.type(field("Message"), "A question.");
}

test("a message is checked, sent once, and says that it arrived", async () => {
  const { promise: clickedTwice, resolve } = Promise.withResolvers<void>();
  const { sent, said, user } = renderForm(() => clickedTwice);
  await user.click(send());
  expect(status()).toBe(text.allFieldsRequired);
  expect(document.activeElement).toBe(field("Name"));
  await fill(user, "ann@nowhere");
  await user.click(send());
  expect(status()).toBe(text.invalidEmail);
  expect(document.activeElement).toBe(field("Email"));
  await user.clear(field("Email"));
  await user.type(field("Email"), "ann@example.com");
  await user.dblClick(send());
  resolve();
  await waitFor(() => expect(status()).toBe(text.messageSent));
  expect(said).toEqual([text.messageSent]);
  expect(field("Message").value).toBe("");
  expect(sent).toEqual([{ name: "Ann", email: "ann@example.com", message: "A question." }]);
});

test.each([
  ["nothing comes back", new ConnectionLost(), text.serverError],
  ["a proxy answers", new ApiProblem({ status: 502, detail: "" }), text.messageFailed],
])(
  "a message that cannot be sent because %s stays as it was typed, and the reason is told",
  async (_, problem, words) => {
    const { said, user } = renderForm(() => Promise.reject(problem));
    await fill(user);
    await user.click(send());
    await waitFor(() => expect(status()).toBe(words));
    expect(said).toEqual([words]);
    expect(field("Message").value).toBe("A question.");
  },
);

test("a program that fills in the field no person sees sends nothing", async () => {
  const { sent, user } = renderForm(async () => undefined);
  await fill(user);
  const trap = document.querySelector<HTMLInputElement>("input[name=website]");
  if (!trap) throw new Error("the form has a field that no person sees");
  expect(trap.closest("[hidden]")).not.toBeNull();
  trap.value = "https://spam.example";
  await user.click(send());
  expect(status()).toBe("");
  expect(sent).toEqual([]);
});
