/** The gateway's payment result, as its script passes it. */
export type Paid = { razorpay_payment_id: string; razorpay_subscription_id: string; razorpay_signature: string };

export type CheckoutOptions = {
  key: string;
  subscription_id: string;
  name: string;
  description: string;
  prefill: { name: string; email: string };
  theme: { color: string };
  handler(paid: Paid): void;
  modal: { ondismiss(): void };
};

export type Checkout = { open(): void; on(event: "payment.failed", listener: () => void): void };
type CheckoutMaker = new (options: CheckoutOptions) => Checkout;

/** Loads the gateway's script once per page and returns its constructor. @throws Error when the script does not load */
export async function loadCheckout(address: string): Promise<CheckoutMaker> {
  if (!findMaker()) await addScript(address);
  const maker = findMaker();
  if (!maker) throw new Error(`${address} defines no checkout.`);
  return maker;
}

function findMaker(): CheckoutMaker | undefined {
  const value: unknown = Reflect.get(window, "Razorpay");
  return typeof value === "function" ? (value as CheckoutMaker) : undefined; // the name that the gateway documents
}

function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = src;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove(); // allows another attempt
      reject(new Error(`${src} did not load.`));
    };
    document.head.append(script);
  });
}
