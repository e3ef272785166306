import { namePlaceholder, type PublicBrand, productName, setPlans } from "@tintype/contract";
import { useSyncExternalStore } from "react";

/** The element of every page in which the server tells the brand. */
export const brandElementId = "brand";

/** The style sheet in every page in which the server writes the operator's colours and logo. */
export const brandStyleId = "brand-style";

/**
 * The product as its operator calls it. While pages are built it is the placeholder, which the server fills in; in a browser it is
 * what the server wrote into the page.
 */
export const brand: PublicBrand = readBrand();
if (brand.plans) setPlans(brand.plans);

function readBrand(): PublicBrand {
  if (typeof document === "undefined") return { name: namePlaceholder };
  const told = document.getElementById(brandElementId)?.textContent;
  // Written by our own server.
  return told ? (JSON.parse(told) as PublicBrand) : { name: productName };
}

const unbranded: PublicBrand = { name: brand.name };
const never = () => () => {};

/** Who runs the service: nothing at first, as in the built page, then what the operator says. */
export const useOperator = (): PublicBrand =>
  useSyncExternalStore(
    never,
    () => brand,
    () => unbranded,
  );
