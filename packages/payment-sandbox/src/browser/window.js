// The test checkout's window: loads the amount, submits the card, and reports to the page that opened it.
const query = new URLSearchParams(location.search);
const byId = (id) => document.getElementById(id);
const about = { key_id: query.get("key") ?? "", subscription_id: query.get("subscription_id") ?? "" };
const tell = (message) => window.parent.postMessage(message, location.origin);

byId("merchant").textContent = query.get("name") ?? "Payment";
byId("description").textContent = query.get("description") ?? "";
byId("email").textContent = query.get("email") ?? "";
const color = query.get("color") ?? "";
// Set as a property, it can be nothing but a colour. It is not used for text, whose contrast is ours.
if (CSS.supports("color", color)) document.querySelector("main").style.borderTop = `4px solid ${color}`;

const dismiss = () => tell({ type: "dismiss" });
byId("dismiss").addEventListener("click", dismiss);
window.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") dismiss();
});

const amountText = (amount, currency) =>
  new Intl.NumberFormat(currency === "INR" ? "en-IN" : "en-US", {
    style: "currency",
    currency,
    minimumFractionDigits: amount % 100 === 0 ? 0 : 2,
  }).format(amount / 100);

const show = (problem) => {
  byId("problem").textContent = problem;
};

async function call(path, options) {
  try {
    const answer = await fetch(path, options);
    const body = await answer.json();
    return answer.ok ? body : { error: body.error ?? { description: "The payment failed." } };
  } catch {
    return { error: { description: "The server does not answer. Please try again." } };
  }
}

const later = ({ recurring, currency, period, starts_at }) =>
  `then ${amountText(recurring, currency)} ${period} from ${new Date(starts_at * 1000).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" })}`;

async function load() {
  const offer = await call(`checkout/offer?${new URLSearchParams(about)}`);
  if (offer.error) {
    show(offer.error.description);
    return;
  }
  const amount = amountText(offer.amount, offer.currency);
  byId("amount").textContent = amount;
  byId("period").textContent = offer.starts_at === null ? offer.period : `today, ${later(offer)}`;
  byId("pay").textContent = offer.starts_at === null ? `Pay ${amount}` : "Authorise the card";
  byId("pay").disabled = false;
  for (const card of offer.cards) byId("cards").append(cardItem(card));
  byId("number").focus();
}

function cardItem({ number, label }) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  for (const text of [number.replace(/(\d{4})(?=\d)/g, "$1 "), label]) {
    const part = document.createElement("span");
    part.textContent = text;
    button.append(part);
  }
  button.addEventListener("click", () => {
    byId("number").value = button.firstChild.textContent;
    byId("expiry").value = "12/49";
    byId("code").value = "123";
    show("");
    byId("pay").focus();
  });
  item.append(button);
  return item;
}

byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const pay = byId("pay");
  if (pay.disabled) return;
  pay.disabled = true;
  const label = pay.textContent;
  pay.textContent = "Processing...";
  show("");
  const typed = Object.fromEntries(new FormData(byId("form")));
  const answer = await call("checkout/pay", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...about, ...typed }),
  });
  pay.textContent = label;
  pay.disabled = false;
  if (!answer.error) {
    tell({ type: "paid", response: answer });
    return;
  }
  show(answer.error.description);
  // Only a decline by the bank is a failed payment; a typing error is not.
  if (answer.error.metadata?.payment_id) tell({ type: "failed", error: answer.error });
});

load();
