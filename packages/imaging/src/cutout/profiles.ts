import type { backgroundProfiles } from "@tintype/contract";

export type ProfileName = (typeof backgroundProfiles)[number];

/** A profile's assumptions about the subject. Lengths are in cells of the matte's grid. */
export type Profile = {
  /** Islands smaller than this share of the largest part are dropped; 1 keeps a single object. */
  islandShare: number;
  /**
   * Holes are filled if smaller than this share of the subject, or if no cell of them is more transparent than
   * `opacity`.
   */
  holes: { share: number; opacity: number };
  /** Cells this far inside the outline and deeper become opaque. */
  solidDepth: number;
  /**
   * The distance from the coarse outline within which colours are compared: at a firm outline, and at a soft one
   * (hair).
   */
  reach: { firm: number; soft: number };
  /**
   * Standard deviations by which colours must contradict the coarse matte to override it: at a firm and at a soft
   * outline, with factors for lowering alpha and for adding what the matte lacks.
   */
  doubt: { firm: number; soft: number; takingAway: number; adding: number };
  /** Whether a shadow under the object is removed. */
  dropsShadow: boolean;
  /** Whether the person networks run too: see `person-prior.ts`. */
  looksForPeople: boolean;
};

export const profiles = {
  auto_rembg: {
    islandShare: 0.02,
    holes: { share: 0.0001, opacity: 0.2 },
    solidDepth: 6,
    reach: { firm: 1.5, soft: 7 },
    doubt: { firm: 6, soft: 2.8, takingAway: 2.5, adding: 1.7 },
    dropsShadow: false,
    looksForPeople: true,
  },
  product_pro: {
    islandShare: 1,
    holes: { share: 0.0003, opacity: 0.08 },
    solidDepth: 3,
    reach: { firm: 1.5, soft: 5 },
    doubt: { firm: 5, soft: 3.5, takingAway: 2, adding: 2.5 },
    dropsShadow: true,
    looksForPeople: false,
  },
  portrait_pro: {
    islandShare: 0.05,
    holes: { share: 0.0001, opacity: 0.3 },
    solidDepth: 8,
    reach: { firm: 3, soft: 12 },
    doubt: { firm: 5, soft: 2.3, takingAway: 2.2, adding: 1.3 },
    dropsShadow: false,
    looksForPeople: true,
  },
} as const satisfies Record<ProfileName, Profile>;
