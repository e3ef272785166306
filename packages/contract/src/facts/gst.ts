/** States and territories of India, by the code at the start of a GSTIN. */
export const gstStates: Readonly<Record<string, string>> = {
  "01": "Jammu and Kashmir",
  "02": "Himachal Pradesh",
  "03": "Punjab",
  "04": "Chandigarh",
  "05": "Uttarakhand",
  "06": "Haryana",
  "07": "Delhi",
  "08": "Rajasthan",
  "09": "Uttar Pradesh",
  "10": "Bihar",
  "11": "Sikkim",
  "12": "Arunachal Pradesh",
  "13": "Nagaland",
  "14": "Manipur",
  "15": "Mizoram",
  "16": "Tripura",
  "17": "Meghalaya",
  "18": "Assam",
  "19": "West Bengal",
  "20": "Jharkhand",
  "21": "Odisha",
  "22": "Chhattisgarh",
  "23": "Madhya Pradesh",
  "24": "Gujarat",
  "26": "Dadra and Nagar Haveli and Daman and Diu",
  "27": "Maharashtra",
  "29": "Karnataka",
  "30": "Goa",
  "31": "Lakshadweep",
  "32": "Kerala",
  "33": "Tamil Nadu",
  "34": "Puducherry",
  "35": "Andaman and Nicobar Islands",
  "36": "Telangana",
  "37": "Andhra Pradesh",
  "38": "Ladakh",
  "97": "Other Territory",
};

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** What is wrong with a GSTIN, or undefined if its format, state code and check digit are valid. */
export function gstinFault(text: string): string | undefined {
  const expected = "expected a GSTIN of 15 letters and digits, like 27AAPFU0939F1ZV";
  if (!/^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/.test(text)) return expected;
  if (!gstStates[text.slice(0, 2)]) return `${expected}: ${text.slice(0, 2)} is not a state code`;
  return checkDigitOf(text.slice(0, 14)) === text.at(-1) ? undefined : `${expected}: its check digit is wrong`;
}

/** Luhn's algorithm in base 36, as GSTN defines it. */
function checkDigitOf(body: string): string | undefined {
  const sum = [...body].reduce((total, letter, index) => {
    const product = digits.indexOf(letter) * (index % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return digits[(36 - (sum % 36)) % 36];
}

/** EU countries: buyers there who give a VAT number account for the VAT themselves (reverse charge). */
export const euCountries: readonly string[] = [
  ...["AT", "BE", "BG", "HR", "CY", "CZ", "DK", "EE", "FI", "FR", "DE", "GR", "HU", "IE"],
  ...["IT", "LV", "LT", "LU", "MT", "NL", "PL", "PT", "RO", "SK", "SI", "ES", "SE"],
];
