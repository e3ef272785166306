import { namePlaceholder, type PublicBrand, productName, setPlans } from "@tintype/contract";
import { useSyncExternalStore } from "react";

/** Id of the element in which the server writes the brand into every page. */
export const brandElementId = "brand";

/** Id of the style sheet in which the server writes the operator's colours and logo into every page. */
export const brandStyleId = "brand-style";

/**
 * The product under its operator's name. During prerendering it is a placeholder, which the server fills in; in a
 * browser it is what the server wrote into the page.
 */
export const brand: PublicBrand = readBrand();
if (brand.plans) setPlans(brand.plans);

/** Whether nothing is sold here. Never while pages are built: what they hide then has the class `credits`. */
export const isPrivate = brand.mode === "private";

function readBrand(): PublicBrand {
  if (typeof document === "undefined") return { name: namePlaceholder };
  const json = document.getElementById(brandElementId)?.textContent;
  // Written by our own server.
  return json ? (JSON.parse(json) as PublicBrand) : { name: productName };
}

const unbranded: PublicBrand = { name: brand.name };
const never = () => () => {};

/** Who runs the service: empty on the first render, to match the prerendered page, then the operator's details. */
export const useOperator = (): PublicBrand =>
  useSyncExternalStore(
    never,
    () => brand,
    () => unbranded,
  );
