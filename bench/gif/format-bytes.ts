export const formatBytes = (bytes: number): string => bytes.toLocaleString("en");
