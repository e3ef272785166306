import { maxSidePx } from "./format.ts";

/** Formats 16384 as `16,384`. Not with Intl, whose first use would add 30 ms to the start of every process. */
const grouped = (number: number) => String(number).replace(/\B(?=([0-9]{3})+$)/g, ",");

/** The product's default name. A server can set another (facts/brand.ts). */
export const productName = "Tintype";

/** Sentences shown to people, word for word as the product's specification gives them. */
export const text = {
  selectImage: "Please select at least one image.",
  invalidQuality: "Please enter a valid quality between 1 and 100.",
  selectTarget: "Please select a target format for conversion.",
  choose: (what: string, values: readonly string[]) =>
    `Please choose ${/^[aeiou]/.test(what) ? "an" : "a"} ${what}: ${values.join(", ")}.`,
  enterSide: "Please enter a width, a height, or both.",
  invalidSide: (side: "width" | "height") => `Please enter a ${side} between 1 and ${grouped(maxSidePx)} pixels.`,
  submit: "Submit",
  processing: "Processing...",
  downloading: "Downloading...",
  unknownOperation: "Unknown operation. Please refresh and try again.",
  nothingSaved: "Nothing could be saved, so the original came back. It cost no credit.",
  personMissing: "A large part of the person may be missing.",
  previewPartsSeen:
    "Previews show at most half of an image a day, and you have seen that half. Run the operation to see the rest.",
  engineFailed: "Something went wrong while processing this image. Please try again.",
  interrupted: "The server restarted during processing. Nothing was charged. Please send the request again.",
  sameFormat: "Source format is the same as the target format. No conversion needed.",
  detectFailed: "Failed to detect source format",
  detectError: "Error detecting source format!",
  processFailed: (statusAndText: string) => `Failed to process the image: ${statusAndText}`,
  monthlyLimit: (limit: number) => `You have reached the monthly limit of ${limit} services.`,
  considerUpgrading: "You have reached the monthly limit. Consider upgrading your plan.",
  serviceFailed: "Service request failed with status!",
  serviceError: "Error making service request!",
  uploadFailed: (status: number) => `File upload request failed with status: ${status}`,
  uploadError: "Error handling file upload limits!",
  usageFailed: (status: number) => `Unable to retrieve usage data (status ${status})`,
  usageError: "A network error occurred while fetching usage data.",
  passwordsDiffer: "Passwords do not match",
  loginFailed: "Login failed",
  signupFailed: "Signup failed",
  googleFailed: "Google login failed",
  refreshUserFailed: "Failed to refresh user info!",
  fetchUserFailed: "Failed to fetch user info!",
  fetchUserError: "Error fetching user info!",
  locationFailed: "Failed to fetch location!",
  somethingWrong: "Something went wrong. Please try again!",
  checkoutFailedToLoad: "Failed to load Razorpay SDK!",
  paymentFailed: "Payment was cancelled or failed!",
  upgradeRefused: "Plan upgrade failed.",
  upgradeFailed: "Plan upgrade failed!",
  sessionRefused: "Payment session creation failed.",
  sessionFailed: "Something went wrong, please try again.",
  subscribed: (plan: string) => `Subscribed to ${plan} successfully!`,
  noSubscription: "No subscription ID found. Please refresh the page.",
  cancelRefused: "Failed to cancel subscription.",
  cancelFailed: "An error occurred while cancelling the subscription.",
  cancelScheduled: (date: string) => `Subscription cancellation scheduled for ${date}`,
  hobbyBlocked: (hobby: string) => `You cannot switch to ${hobby} until cancellation finalizes.`,
  changeScheduled: ({ plan, date }: { plan: string; date: string }) =>
    `You already have ${plan} scheduled for ${date}.`,
  messageSent: "Message sent successfully!",
  messageFailed: "Failed to send message.",
  serverError: "Server error. Please try again.",
  allFieldsRequired: "All fields are required.",
  invalidEmail: "Please enter a valid email address.",
  blogNotFound: "Blog not found",
} as const;
