export function startSite(
  running?: string,
  settings?: Record<string, string>,
): Promise<{ origin: string; data?: string; stop(): Promise<void> }>;
