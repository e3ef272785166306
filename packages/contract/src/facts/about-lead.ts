/** How the page about us begins. A tintype is the idea of Tintype alone: the server takes ours out under another name. */
export const aboutLead = {
  ours: "A tintype is a photograph on a thin dark plate, made while you wait. That is the idea: bring a photo, and a moment later take it away, done properly.",
  other: "Bring a photo, and a moment later take it away, done properly.",
} as const;
