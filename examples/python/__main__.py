import pulumi
import pulumi_workspace_apps as apps

config = pulumi.Config()

# Sends every finished reply of the support agent to our own service, signed.
replies = apps.Webhook(
    "replies",
    agent_id="agent-support",
    target_url="https://hooks.example.com/replies",
    events=["message.completed"],
    description=config.get("label", "Replies to the help desk"),
    signed=True,
)

# Holds the key by which every later command recognizes the campaign, even if this one is interrupted.
spring_intent = apps.LaunchIntent("spring-intent", app_id="app-shop")

spring = apps.AdCampaign(
    "spring",
    app_id=spring_intent.app_id,
    campaign_name="Spring sale",
    campaign_type="SMART",
    daily_budget_micros=5_000_000,  # 5.00 a day
    landing_page="https://shop.example.com/spring",
    business_name="Example Shop",
    keyword_themes=["garden tools", "plant pots"],
    timezone="Europe/Berlin",
    # Nothing is advertised before somebody says so: `pulumi config set paused false`.
    paused=config.get_bool("paused", True),
    launch_intent=spring_intent.id,
)

# Unknown at the first preview; afterwards the live value, which the resource itself does not keep.
live = apps.get_campaign_output(app_id=spring.app_id, campaign_id=spring.campaign_id)

pulumi.export("webhookId", replies.webhook_id)
pulumi.export("signingSecret", replies.secret)
pulumi.export("campaignId", spring.campaign_id)
pulumi.export("launchedName", spring.launched_name)
pulumi.export("review", live.review_status)
