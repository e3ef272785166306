/** One step to run in a shell, and why. A journey test runs all of them in this order in one shell. */
export type Step = { id: string; title: string; words: string; shell: string };

/** From the first picture to a background batch. The pictures are named photo.jpg. */
export function quickStart(origin: string): Step[] {
  return [
    {
      id: "guest",
      title: "Without an account",
      words:
        "One call, one image. Guests are recognised by a cookie and have a small allowance; X-Credits-Remaining says how many credits are left.",
      shell: `curl --fail "${origin}/api/compress" \\
  -F "files=@photo.jpg" -F quality=75 \\
  -o smaller.jpg`,
    },
    {
      id: "token",
      title: "With a token",
      words:
        "Calls take a bearer token: an API key, which you create under API Keys on your account page, or the identity provider's ID token. With the built-in provider, sign up (or sign in at /idp/sign-in/email), then fetch a token. It is valid for an hour; fetch the next one the same way.",
      shell: `curl --fail-with-body "${origin}/idp/sign-up/email" -c cookies.txt \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Ann", "email": "ann@example.com", "password": "correct horse"}'
TOKEN=$(curl --fail-with-body -s "${origin}/idp/token" -b cookies.txt | cut -d '"' -f 4)
curl --fail-with-body "${origin}/api/user-info" -H "Authorization: Bearer $TOKEN"`,
    },
    {
      id: "many",
      title: "Several images at once",
      words:
        "Repeat the field for each file. The response is a ZIP with the results and report.json, which says for each file what worked, what did not, and why. Failed files cost nothing and do not affect the rest.",
      shell: `curl --fail "${origin}/api/convert" \\
  -H "Authorization: Bearer $TOKEN" \\
  -F "files=@photo.jpg" -F "files=@other.jpg" -F target_format=webp \\
  -o pictures.zip`,
    },
    {
      id: "async",
      title: "In the background, with progress",
      words:
        "Prefer: respond-async returns 202 immediately with the job's address. Follow the job by server-sent events: first a snapshot, then each file's progress, then the end. Fetch the result once; after that it is deleted.",
      shell: `JOB=$(curl --fail-with-body -s "${origin}/api/resize" \\
  -H "Authorization: Bearer $TOKEN" -H "Prefer: respond-async" \\
  -F "files=@photo.jpg" -F "files=@other.jpg" -F width=1600 -F method=fit \\
  -o job.json -w "%header{location}")
curl --fail-with-body -N "${origin}$JOB/events" -H "Authorization: Bearer $TOKEN"
curl --fail "${origin}$JOB/result" -H "Authorization: Bearer $TOKEN" -o resized.zip`,
    },
    {
      id: "idempotency",
      title: "Safe to repeat",
      words:
        "A connection can drop after the work is done. With an Idempotency-Key, repeating the request within 24 hours gives the same response and is charged once; the same key with a different request is refused.",
      shell: `curl --fail "${origin}/api/compress" \\
  -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: invoice-4711" \\
  -F "files=@photo.jpg" -F quality=75 \\
  -o once.jpg`,
    },
  ];
}
