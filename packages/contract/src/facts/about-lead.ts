/** The opening of the about page. The tintype story fits only the name Tintype: under another name the server replaces it. */
export const aboutLead = {
  ours: "A tintype is a photograph on a thin dark plate, made while you wait. That is the idea: bring a photo, and a moment later take it away, done properly.",
  other: "Bring a photo, and a moment later take it away, done properly.",
} as const;
