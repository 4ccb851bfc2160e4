// Far from UTC, so that a time without a zone that is read as local time shows in any test.
process.env["TZ"] = "Asia/Tokyo";
